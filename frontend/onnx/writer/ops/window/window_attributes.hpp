// The attributes that ONNX's window operators share.
#pragma once

#include <cstddef>
#include <optional>

#include "core/ops/window/convolution_axis.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"

namespace rondo::onnx {

/// Strides, dilations and, of explicit ones, pads.
void add_window(NewNode& node, const ops::ConvolutionAttributes& attributes, std::size_t axes);
/// Explicit pads in ONNX's order.
void add_pads(NewNode& node, const Ints& begin, const Ints& end);
/// What says that the operator chooses the pads; nothing for explicit ones.
void add_auto_pad(NewNode& node, ops::AutoPad pad);

/// The shape with extent 1 for open extents of the first two axes; nothing where others are open.
std::optional<Shape> spatial_shape(const PartialShape& shape);

/// Throws UnsupportedError unless the type is a floating one, which ONNX's operators compute on.
void check_floating(const WriteContext& context);

}  // namespace rondo::onnx
