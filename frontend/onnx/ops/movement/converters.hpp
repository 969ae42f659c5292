// The ONNX operators of the movement room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_bit_cast(NodeContext& context);
std::vector<Output> convert_center_crop_pad(NodeContext& context);
std::vector<Output> convert_concat_1(NodeContext& context);
std::vector<Output> convert_concat_4(NodeContext& context);
std::vector<Output> convert_depth_to_space(NodeContext& context);
std::vector<Output> convert_expand(NodeContext& context);
std::vector<Output> convert_flatten(NodeContext& context);
std::vector<Output> convert_gather(NodeContext& context);
std::vector<Output> convert_pad_1(NodeContext& context);
std::vector<Output> convert_pad_11(NodeContext& context);
std::vector<Output> convert_pad_2(NodeContext& context);
std::vector<Output> convert_reshape_1(NodeContext& context);
std::vector<Output> convert_reshape_5(NodeContext& context);
std::vector<Output> convert_reverse_sequence(NodeContext& context);
std::vector<Output> convert_slice_1(NodeContext& context);
std::vector<Output> convert_slice_10(NodeContext& context);
std::vector<Output> convert_space_to_depth(NodeContext& context);
std::vector<Output> convert_split_1(NodeContext& context);
std::vector<Output> convert_split_13(NodeContext& context);
std::vector<Output> convert_split_2(NodeContext& context);
std::vector<Output> convert_squeeze_1(NodeContext& context);
std::vector<Output> convert_squeeze_13(NodeContext& context);
std::vector<Output> convert_tile_1(NodeContext& context);
std::vector<Output> convert_tile_6(NodeContext& context);
std::vector<Output> convert_transpose(NodeContext& context);
std::vector<Output> convert_trilu(NodeContext& context);
std::vector<Output> convert_unsqueeze_1(NodeContext& context);
std::vector<Output> convert_unsqueeze_13(NodeContext& context);

}  // namespace rondo::onnx
