// The ONNX operators of the product room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_det(NodeContext& context);
std::vector<Output> convert_einsum(NodeContext& context);
std::vector<Output> convert_fused_gemm(NodeContext& context);
std::vector<Output> convert_fused_mat_mul(NodeContext& context);
std::vector<Output> convert_fused_mat_mul_activation(NodeContext& context);
std::vector<Output> convert_gemm_1(NodeContext& context);
std::vector<Output> convert_gemm_7(NodeContext& context);
std::vector<Output> convert_matmul(NodeContext& context);

}  // namespace rondo::onnx
