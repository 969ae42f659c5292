// The writers of the quantization family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_dynamic_quantize_linear(WriteContext& context);

}  // namespace rondo::onnx
