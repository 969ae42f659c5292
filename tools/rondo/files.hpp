// Names of files and folders that the command writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// Makes the folder and those above it. Throws ModelError with the system's reason.
std::filesystem::path make_folder(const std::string& path);

/// `<output name>.npy` for each output, characters outside [A-Za-z0-9_.-] as `_`; where two would be
/// the same, the later ones get `_1`, `_2`, ...
std::vector<std::string> npy_names(const std::vector<PortInfo>& outputs);

}  // namespace rondo::tool
