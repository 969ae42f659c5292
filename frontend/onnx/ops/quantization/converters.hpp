// The ONNX operators of the quantization room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> conv_integer_converters();
std::span<const OpEntry> dequantize_linear_converters();
std::span<const OpEntry> dynamic_quantize_lstm_converters();
std::span<const OpEntry> matmul_integer_converters();
std::span<const OpEntry> matmul_n_bits_converters();
std::span<const OpEntry> qlinear_converters();
std::span<const OpEntry> quantize_linear_converters();

}  // namespace rondo::onnx
