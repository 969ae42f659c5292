// The ONNX operators of the spectral room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_blackman_window(NodeContext& context);
std::vector<Output> convert_dft(NodeContext& context);
std::vector<Output> convert_hamming_window(NodeContext& context);
std::vector<Output> convert_hann_window(NodeContext& context);
std::vector<Output> convert_mel_weight_matrix(NodeContext& context);
std::vector<Output> convert_stft(NodeContext& context);

}  // namespace rondo::onnx
