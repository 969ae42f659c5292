// The ONNX operators of the recurrent room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> gru_converters();
std::span<const OpEntry> lstm_converters();
std::span<const OpEntry> rnn_converters();

}  // namespace rondo::onnx
