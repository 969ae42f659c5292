// The ONNX operators of the window room: their converters, which the list of operators names.
#pragma once

#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_affine_grid(NodeContext& context);
std::vector<Output> convert_average_pool(NodeContext& context);
std::vector<Output> convert_col2im(NodeContext& context);
std::vector<Output> convert_conv(NodeContext& context);
std::vector<Output> convert_conv_transpose(NodeContext& context);
std::vector<Output> convert_deform_conv(NodeContext& context);
std::vector<Output> convert_fused_conv(NodeContext& context);
std::vector<Output> convert_global_lp_pool(NodeContext& context);
std::vector<Output> convert_global_pool(NodeContext& context, ops::ReduceFunction function);
std::vector<Output> convert_grid_sample(NodeContext& context);
std::vector<Output> convert_lp_pool(NodeContext& context);
std::vector<Output> convert_lrn(NodeContext& context);
std::vector<Output> convert_max_pool(NodeContext& context);
std::vector<Output> convert_max_unpool(NodeContext& context);
std::vector<Output> convert_nhwc_max_pool(NodeContext& context);
std::vector<Output> convert_resize(NodeContext& context);
std::vector<Output> convert_roi_align(NodeContext& context);
std::vector<Output> convert_upsample_1(NodeContext& context);
std::vector<Output> convert_upsample_7(NodeContext& context);
std::vector<Output> convert_with_scales(NodeContext& context);

}  // namespace rondo::onnx
