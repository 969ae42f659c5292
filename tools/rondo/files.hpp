// Files and folders that the command writes, and their names.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// Makes the folder and those above it. Throws ModelError with the system's reason.
std::filesystem::path make_folder(const std::string& path);

/// Writes the parts one after the other. Throws ModelError with the system's reason, and then
/// leaves no regular file of that name.
void write_file(const std::string& path, std::initializer_list<std::string_view> parts);

/// `<output name>.npy` for each output, characters outside [A-Za-z0-9_.-] as `_`; where two would
/// be the same, the later ones get `_1`, `_2`, ...
std::vector<std::string> npy_names(const std::vector<PortInfo>& outputs);

}  // namespace rondo::tool
