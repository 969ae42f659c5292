// Models for the fuzz targets to begin with that have what random ones lack.
#pragma once

#include <string>
#include <vector>

namespace rondo::test {

/// A valid input of that kind, which is the name of its folder.
struct Seed {
    std::string kind;
    std::string bytes;
};

/// ONNX with sparse tensors, functions, narrow types and MatMulNBits, as "onnx"; IR with packed and
/// with misaligned constants, as "ir"; ONNX with external data, as "files".
std::vector<Seed> special_seeds();

}  // namespace rondo::test
