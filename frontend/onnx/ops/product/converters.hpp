// The ONNX operators of the product room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> det_converters();
std::span<const OpEntry> einsum_converters();
std::span<const OpEntry> gemm_converters();
std::span<const OpEntry> matmul_converters();

}  // namespace rondo::onnx
