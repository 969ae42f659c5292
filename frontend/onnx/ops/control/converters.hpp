// The ONNX operators of the control room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_concat_from_sequence(NodeContext& context);
std::vector<Output> convert_if(NodeContext& context);
std::vector<Output> convert_loop(NodeContext& context);
std::vector<Output> convert_optional(NodeContext& context);
std::vector<Output> convert_optional_get_element(NodeContext& context);
std::vector<Output> convert_optional_has_element(NodeContext& context);
std::vector<Output> convert_scan_8(NodeContext& context);
std::vector<Output> convert_scan_9(NodeContext& context);
std::vector<Output> convert_sequence_at(NodeContext& context);
std::vector<Output> convert_sequence_construct(NodeContext& context);
std::vector<Output> convert_sequence_empty(NodeContext& context);
std::vector<Output> convert_sequence_erase(NodeContext& context);
std::vector<Output> convert_sequence_insert(NodeContext& context);
std::vector<Output> convert_sequence_length(NodeContext& context);
std::vector<Output> convert_sequence_map(NodeContext& context);
std::vector<Output> convert_split_to_sequence(NodeContext& context);

}  // namespace rondo::onnx
