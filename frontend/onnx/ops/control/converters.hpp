// The ONNX operators of the control room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> if_converters();
std::span<const OpEntry> loop_converters();
std::span<const OpEntry> scan_converters();
std::span<const OpEntry> sequence_converters();
std::span<const OpEntry> sequence_map_converters();
std::span<const OpEntry> split_to_sequence_converters();

}  // namespace rondo::onnx
