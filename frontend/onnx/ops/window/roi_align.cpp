// Converts RoiAlign.
#include "core/ops/window/roi_align.hpp"

#include <string>

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kHalfPixelSince = 16;

// ONNX's half_pixel moves the scaled numbers alone. Before opset 16 nothing is moved.
ops::RoiAlignment alignment_of(NodeContext& context) {
    if (context.opset() < kHalfPixelSince) return ops::RoiAlignment::asymmetric;
    const auto text =
        context.attributes().find_string("coordinate_transformation_mode").value_or("half_pixel");
    if (text == "half_pixel") return ops::RoiAlignment::half_pixel_for_nn;
    if (text == "output_half_pixel") return ops::RoiAlignment::asymmetric;
    throw ModelError("attribute 'coordinate_transformation_mode' is '" + text +
                     "'; expected half_pixel or output_half_pixel");
}

ops::RoiMode roi_mode_of(NodeContext& context) {
    const auto text = context.attributes().find_string("mode").value_or("avg");
    if (text == "avg") return ops::RoiMode::avg;
    if (text == "max") return ops::RoiMode::max_part;
    throw ModelError("attribute 'mode' is '" + text + "'; expected avg or max");
}

}  // namespace

std::vector<Output> convert_roi_align(NodeContext& context) {
    auto& own = context.attributes();
    ops::RoiAlignAttributes attributes;
    attributes.pooled_h = own.find_int("output_height").value_or(1);
    attributes.pooled_w = own.find_int("output_width").value_or(1);
    attributes.sampling_ratio = own.find_int("sampling_ratio").value_or(0);
    attributes.spatial_scale = own.find_float("spatial_scale").value_or(1.0F);
    attributes.mode = roi_mode_of(context);
    attributes.alignment = alignment_of(context);
    std::vector<Output> inputs{context.input(0), context.input(1), context.input(2)};
    return {context.make<ops::RoiAlign>("", std::move(inputs), attributes)};
}

}  // namespace rondo::onnx
