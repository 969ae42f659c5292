// Declares the converters of the spectral operators; the bodies live in one file an operator.
#pragma once

#include <span>

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> dft_converters();
std::span<const OpEntry> mel_weight_matrix_converters();
std::span<const OpEntry> stft_converters();
std::span<const OpEntry> window_function_converters();

}  // namespace rondo::onnx
