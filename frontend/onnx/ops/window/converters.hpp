// The ONNX operators of the window room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> conv_converters();
std::span<const OpEntry> conv_transpose_converters();
std::span<const OpEntry> global_pool_converters();
std::span<const OpEntry> lp_pool_converters();
std::span<const OpEntry> lrn_converters();
std::span<const OpEntry> pool_converters();

}  // namespace rondo::onnx
