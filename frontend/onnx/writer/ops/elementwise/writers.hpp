// The writers of the elementwise family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> binary_writers();
std::span<const OpWriter> compare_writers();
std::span<const OpWriter> convert_writers();
std::span<const OpWriter> unary_writers();

}  // namespace rondo::onnx
