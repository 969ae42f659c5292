// The ONNX operators of the indexing room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_compress(NodeContext& context);
std::vector<Output> convert_gather_elements(NodeContext& context);
std::vector<Output> convert_gather_nd(NodeContext& context);
std::vector<Output> convert_non_max_suppression(NodeContext& context);
std::vector<Output> convert_non_zero(NodeContext& context);
std::vector<Output> convert_one_hot(NodeContext& context);
std::vector<Output> convert_scatter_elements(NodeContext& context);
std::vector<Output> convert_scatter_nd(NodeContext& context);
std::vector<Output> convert_tf_idf_vectorizer(NodeContext& context);
std::vector<Output> convert_unique(NodeContext& context);

}  // namespace rondo::onnx
