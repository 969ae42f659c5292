// Reference inputs and outputs of a model, as .npy files beside it.
#pragma once

#include <filesystem>
#include <string>

#include "rondo/rondo.hpp"

namespace rondo::test {

/// The file of a port in case `number`; `kind`: "in" or "out".
std::string reference_file(const std::filesystem::path& folder, int number, const char* kind,
                           const PortInfo& port);

/// Runs every case that the folder holds; returns how many. Fails where an output differs by more
/// than 1e-4, or than what manifest.json says of models that compute in 8 or 16 bits.
int expect_reference_outputs(CompiledModel& model, const std::filesystem::path& folder);

}  // namespace rondo::test
