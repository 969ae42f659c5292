// Files and folders that the command reads and writes, and their names.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// Makes the folder and those above it. Throws ModelError with the system's reason.
std::filesystem::path make_folder(const std::string& path);

/// The bytes of a file, or of a pipe such as /dev/stdin. Throws ModelError with the system's
/// reason, and for what is neither: a folder, or a device that never ends.
std::string file_bytes(const std::string& path);

/// Throws ModelError if write_file() couldn't write the file. Leaves it as it is, and makes
/// none.
void check_writable(const std::string& path);

/// Calls each, also after one that throws an Error. Then throws ModelError with the messages of
/// those that did.
void call_each(const std::vector<std::function<void()>>& writers);

/// Writes the parts one after the other. Throws ModelError with the system's reason, and then
/// leaves no regular file of that name.
void write_file(const std::string& path, std::initializer_list<std::string_view> parts);

/// `<output name>.npy` for each output, characters outside [A-Za-z0-9_.-] as `_`; if two would
/// be the same, the later ones get `_1`, `_2`, ...
std::vector<std::string> npy_names(const std::vector<PortInfo>& outputs);

}  // namespace rondo::tool
