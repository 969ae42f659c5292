// The ONNX operators of the quantization room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> dynamic_quantize_lstm_converters();

}  // namespace rondo::onnx
