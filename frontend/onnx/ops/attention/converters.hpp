// The ONNX operators of the attention room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_attention(NodeContext& context);
std::vector<Output> convert_causal_conv(NodeContext& context);
std::vector<Output> convert_embed_layer_normalization(NodeContext& context);
std::vector<Output> convert_group_query_attention(NodeContext& context);
std::vector<Output> convert_linear_attention(NodeContext& context);
std::vector<Output> convert_microsoft_attention(NodeContext& context);
std::vector<Output> convert_microsoft_rotary_embedding(NodeContext& context);
std::vector<Output> convert_multi_head_attention(NodeContext& context);
std::vector<Output> convert_quantized_attention(NodeContext& context);
std::vector<Output> convert_rotary_embedding(NodeContext& context);
std::vector<Output> convert_tensor_scatter(NodeContext& context);

}  // namespace rondo::onnx
