// The ONNX operators of the elementwise room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> activation_converters();
std::span<const OpEntry> binary_converters();
std::span<const OpEntry> bitwise_converters();
std::span<const OpEntry> cast_converters();
std::span<const OpEntry> clip_converters();
std::span<const OpEntry> compare_converters();
std::span<const OpEntry> dropout_converters();
std::span<const OpEntry> gelu_converters();
std::span<const OpEntry> identity_converters();
std::span<const OpEntry> logical_converters();
std::span<const OpEntry> n_ary_converters();
std::span<const OpEntry> pow_converters();
std::span<const OpEntry> unary_converters();
std::span<const OpEntry> where_converters();

}  // namespace rondo::onnx
