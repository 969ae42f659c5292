// The ONNX operators of the source room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_bernoulli(NodeContext& context);
std::vector<Output> convert_constant(NodeContext& context);
std::vector<Output> convert_constant_of_shape(NodeContext& context);
std::vector<Output> convert_eye_like(NodeContext& context);
std::vector<Output> convert_microsoft_range(NodeContext& context);
std::vector<Output> convert_multinomial(NodeContext& context);
std::vector<Output> convert_random_normal(NodeContext& context);
std::vector<Output> convert_random_normal_like(NodeContext& context);
std::vector<Output> convert_random_uniform(NodeContext& context);
std::vector<Output> convert_random_uniform_like(NodeContext& context);
std::vector<Output> convert_range(NodeContext& context);
std::vector<Output> convert_shape(NodeContext& context);
std::vector<Output> convert_size(NodeContext& context);

}  // namespace rondo::onnx
