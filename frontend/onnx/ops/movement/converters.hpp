// The ONNX operators of the movement room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> bit_cast_converters();
std::span<const OpEntry> center_crop_pad_converters();
std::span<const OpEntry> concat_converters();
std::span<const OpEntry> depth_to_space_converters();
std::span<const OpEntry> expand_converters();
std::span<const OpEntry> flatten_converters();
std::span<const OpEntry> gather_converters();
std::span<const OpEntry> pad_converters();
std::span<const OpEntry> reshape_converters();
std::span<const OpEntry> reverse_sequence_converters();
std::span<const OpEntry> slice_converters();
std::span<const OpEntry> split_converters();
std::span<const OpEntry> squeeze_converters();
std::span<const OpEntry> tile_converters();
std::span<const OpEntry> transpose_converters();
std::span<const OpEntry> trilu_converters();

}  // namespace rondo::onnx
