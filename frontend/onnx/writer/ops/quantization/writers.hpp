// The writers of the quantization family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> quantization_writers();

}  // namespace rondo::onnx
