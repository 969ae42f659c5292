// Adds to an ONNX model what changes nothing: parts that no output needs, and initializers twice.
#pragma once

#include <cstdint>
#include <string>

namespace rondo::test {

/// The model with 3 to 12 such parts in random places of its graph and of bodies: nodes of unknown
/// domains and operators, broken nodes, text, tensors that can't be read, chains and circles of
/// nodes, initializers that are there already. Names that start with "spare" are theirs. Depends on
/// the bytes and the seed alone.
std::string with_spare_parts(const std::string& bytes, std::uint64_t seed);

}  // namespace rondo::test
