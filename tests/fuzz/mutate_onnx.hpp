// Changes ONNX models part by part, so that most of what comes out is read further than damaged
// bytes are.
#pragma once

#include <string>

#include "tests/support/rng.hpp"

namespace rondo::test {

/// The message with one to three changes to nodes, attributes, tensors, types, names and order, in
/// bodies and functions too. Empty if the bytes aren't a model's.
std::string mutated_onnx(const std::string& bytes, Rng& rng);

}  // namespace rondo::test
