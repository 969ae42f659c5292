// The writers of the window family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_avg_pool(WriteContext& context);
Names write_col2im(WriteContext& context);
Names write_convolution(WriteContext& context);
Names write_deformable(WriteContext& context);
Names write_grid_sample(WriteContext& context);
Names write_interpolate(WriteContext& context);
Names write_max_pool(WriteContext& context);
Names write_roi_align(WriteContext& context);
Names write_transposed(WriteContext& context);

}  // namespace rondo::onnx
