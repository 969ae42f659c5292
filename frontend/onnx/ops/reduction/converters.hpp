// The ONNX operators of the reduction room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> batch_normalization_converters();
std::span<const OpEntry> cdist_converters();
std::span<const OpEntry> cum_sum_converters();
std::span<const OpEntry> hardmax_converters();
std::span<const OpEntry> instance_normalization_converters();
std::span<const OpEntry> layer_normalization_converters();
std::span<const OpEntry> loss_converters();
std::span<const OpEntry> lp_normalization_converters();
std::span<const OpEntry> reduce_converters();
std::span<const OpEntry> skip_layer_normalization_converters();
std::span<const OpEntry> softmax_converters();
std::span<const OpEntry> top_k_converters();

}  // namespace rondo::onnx
