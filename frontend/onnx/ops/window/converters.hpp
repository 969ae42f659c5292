// The ONNX operators of the window room: each file's converters.
#pragma once

#include "frontend/onnx/ops/common/op_entry.hpp"

namespace rondo::onnx {

// keep-sorted
std::span<const OpEntry> affine_grid_converters();
std::span<const OpEntry> col2im_converters();
std::span<const OpEntry> conv_converters();
std::span<const OpEntry> conv_transpose_converters();
std::span<const OpEntry> deform_conv_converters();
std::span<const OpEntry> global_pool_converters();
std::span<const OpEntry> grid_sample_converters();
std::span<const OpEntry> lp_pool_converters();
std::span<const OpEntry> lrn_converters();
std::span<const OpEntry> max_unpool_converters();
std::span<const OpEntry> pool_converters();
std::span<const OpEntry> resize_converters();
std::span<const OpEntry> roi_align_converters();

}  // namespace rondo::onnx
