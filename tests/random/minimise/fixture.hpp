// A model and its inputs in a folder, from which a test runs it.
#pragma once

#include <filesystem>

#include "tests/random/random_model.hpp"

namespace rondo::test {

/// Writes model.onnx, and for each run a folder run_0, run_1, ... with a .npy file for each input,
/// named after it. What the folder held before is removed. Throws UnsupportedError for types that
/// NumPy lacks, ModelError where a file can't be written.
void write_fixture(const std::filesystem::path& folder, const RandomModel& model);

/// Reads what write_fixture() wrote; its sizes aren't known. Throws ModelError where a file is
/// missing or broken.
RandomModel read_fixture(const std::filesystem::path& folder);

}  // namespace rondo::test
