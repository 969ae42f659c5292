// The ONNX operators of the recurrent room: their converters, which the list of operators names.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::vector<Output> convert_gru(NodeContext& context);
std::vector<Output> convert_lstm(NodeContext& context);
std::vector<Output> convert_rnn(NodeContext& context);

}  // namespace rondo::onnx
