// The ONNX operators of the source room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> constant_converters();
std::span<const OpEntry> constant_of_shape_converters();
std::span<const OpEntry> eye_like_converters();
std::span<const OpEntry> random_converters();
std::span<const OpEntry> range_converters();
std::span<const OpEntry> shape_converters();
std::span<const OpEntry> size_converters();

}  // namespace rondo::onnx
