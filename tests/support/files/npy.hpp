// NumPy's .npy files, in which other programs give tensors to tests.
#pragma once

#include <string>

#include "rondo/tensor.hpp"

namespace rondo::test {

/// Reads format 1.0 to 3.0, little-endian, C order: bool, i1..i8, u1..u8, f2, f4, f8.
/// Throws ModelError naming the path if the file is broken, UnsupportedError for other types
/// and orders. Format: numpy.lib.format.
Tensor read_npy(const std::string& path);

/// Writes format 1.0 (2.0 if the header is long). Throws UnsupportedError for bf16, which NumPy
/// lacks.
void write_npy(const std::string& path, const Tensor& tensor);

}  // namespace rondo::test
