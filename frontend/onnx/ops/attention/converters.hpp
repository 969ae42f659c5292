// The ONNX operators of the attention room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> attention_converters();
std::span<const OpEntry> causal_conv_converters();
std::span<const OpEntry> embed_layer_normalization_converters();
std::span<const OpEntry> group_query_attention_converters();
std::span<const OpEntry> linear_attention_converters();
std::span<const OpEntry> microsoft_attention_converters();
std::span<const OpEntry> rotary_embedding_converters();
std::span<const OpEntry> tensor_scatter_converters();

}  // namespace rondo::onnx
