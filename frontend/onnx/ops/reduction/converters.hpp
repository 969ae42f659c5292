// The ONNX operators of the reduction room: their converters, which the list of operators names.
#pragma once

#include "core/ops/reduction/reduce.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_arg(NodeContext& context, ops::TopKMode mode);
std::vector<Output> convert_batch_normalization(NodeContext& context);
std::vector<Output> convert_cdist(NodeContext& context);
std::vector<Output> convert_cross_entropy(NodeContext& context);
std::vector<Output> convert_cum_prod(NodeContext& context);
std::vector<Output> convert_cum_sum(NodeContext& context);
std::vector<Output> convert_group_normalization_18(NodeContext& context);
std::vector<Output> convert_group_normalization_21(NodeContext& context);
std::vector<Output> convert_hardmax_1(NodeContext& context);
std::vector<Output> convert_hardmax_13(NodeContext& context);
std::vector<Output> convert_instance_normalization(NodeContext& context);
std::vector<Output> convert_layer_normalization(NodeContext& context);
std::vector<Output> convert_likelihood(NodeContext& context);
std::vector<Output> convert_log_softmax_1(NodeContext& context);
std::vector<Output> convert_log_softmax_13(NodeContext& context);
std::vector<Output> convert_lp_normalization(NodeContext& context);
std::vector<Output> convert_mean_variance_normalization(NodeContext& context);
std::vector<Output> convert_reduce(NodeContext& context, ops::ReduceFunction function);
std::vector<Output> convert_reduce_log_sum(NodeContext& context);
std::vector<Output> convert_reduce_log_sum_exp(NodeContext& context);
std::vector<Output> convert_reduce_sum(NodeContext& context);
std::vector<Output> convert_reduce_sum_square(NodeContext& context);
std::vector<Output> convert_rms_normalization(NodeContext& context);
std::vector<Output> convert_skip_layer_normalization(NodeContext& context);
std::vector<Output> convert_skip_simplified_layer_normalization(NodeContext& context);
std::vector<Output> convert_softmax_1(NodeContext& context);
std::vector<Output> convert_softmax_13(NodeContext& context);
std::vector<Output> convert_top_k(NodeContext& context);

}  // namespace rondo::onnx
