// Samples between elements: Interpolate as Resize, GridSample and ROIAlign.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ops/window/samplers.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateMode;
using ops::NearestMode;

void check_interpolate(const ops::InterpolateAttributes& attributes) {
    const auto refuse = [](const char* what) {
        throw UnsupportedError(std::string(what) + ", which ONNX's Resize doesn't have");
    };
    for (const Ints* pads : {&attributes.pads_begin, &attributes.pads_end}) {
        if (*pads != Ints(pads->size(), 0)) refuse("it pads the data");
    }
    const ops::TapRule& rule = attributes.rule;
    if (rule.mode == InterpolateMode::bilinear_pillow ||
        rule.mode == InterpolateMode::bicubic_pillow) {
        refuse("it has a mode of Pillow");
    }
    if (rule.coordinates == CoordinateMode::tf_half_pixel_for_nn) {
        throw UnsupportedError(
            "its coordinates are tf_half_pixel_for_nn, which ONNX's Resize lacks since opset 13");
    }
}

// Factors of the axes, as far as they are known.
std::vector<double> known_scales(const WriteContext& context) {
    std::vector<double> scales;
    const Tensor given = context.known(1);
    if (given && given.element_type() == ElementType::f32) {
        const auto* values = given.data<float>();
        return {values, values + given.size()};
    }
    const auto output = context.node().output_shape(0);
    if (!context.shape(0).is_static() || !output.is_static()) return {};
    for (std::size_t i = 0; i < output.rank(); ++i) {
        const auto extent = static_cast<double>(context.shape(0)[i].length());
        scales.push_back(static_cast<double>(output[i].length()) / extent);
    }
    return scales;
}

bool are_whole(const WriteContext& context) {
    const Tensor given = context.known(1);
    if (!given || given.element_type() != ElementType::f32) return false;
    const auto scales = known_scales(context);
    return std::all_of(scales.begin(), scales.end(),
                       [](double scale) { return scale == std::floor(scale); });
}

// `simple` rounds up where an axis shrinks, down elsewhere; ONNX has one way for all axes.
NearestMode nearest_of(const WriteContext& context) {
    const NearestMode mode = context.op<ops::Interpolate>().attributes().rule.nearest;
    if (mode != NearestMode::simple) return mode;
    const auto scales = known_scales(context);
    const auto shrinks = [](double scale) { return scale < 1; };
    const auto grows = [](double scale) { return scale > 1; };
    const bool any_shrinks = std::any_of(scales.begin(), scales.end(), shrinks);
    const bool any_grows = std::any_of(scales.begin(), scales.end(), grows);
    if (scales.empty() || (any_shrinks && any_grows)) {
        throw UnsupportedError(
            "its nearest_mode is simple, and it isn't known that all axes grow or all shrink");
    }
    return any_shrinks ? NearestMode::ceil : NearestMode::floor;
}

// align_corners looks at the extents in the IR, at the scales in ONNX: they differ if the
// products aren't whole. A filter's width follows from the scales, which sizes change.
bool needs_sizes(const WriteContext& context, const ops::InterpolateAttributes& attributes) {
    const ops::TapRule& rule = attributes.rule;
    const bool differs = attributes.extents == ExtentRule::scales &&
                         rule.coordinates == CoordinateMode::align_corners && !are_whole(context);
    if (differs && rule.antialias && rule.mode != InterpolateMode::nearest) {
        throw UnsupportedError(
            "it aligns corners by scales that give no whole extents, and filters");
    }
    return differs;
}

std::string sizes_of_output(WriteContext& context) {
    const PartialShape& shape = context.node().output_shape(0);
    const Ints all = counted_ints(context.rank(0));
    Ints sizes;
    for (const auto axis : context.has_input(2) ? context.known_ints(2, "the axes") : all) {
        const Dimension& extent = shape[static_cast<std::size_t>(context.from_front(axis))];
        if (!extent.is_static()) {
            throw UnsupportedError("it aligns corners by scales of open extents");
        }
        sizes.push_back(extent.length());
    }
    return context.ints(sizes);
}

void add_rule(const WriteContext& context, NewNode& node) {
    const ops::InterpolateAttributes& attributes = context.op<ops::Interpolate>().attributes();
    const ops::TapRule& rule = attributes.rule;
    const bool is_nearest = rule.mode == InterpolateMode::nearest;
    const bool is_cubic = rule.mode == InterpolateMode::cubic;
    node.with("mode", is_nearest ? "nearest" : is_cubic ? "cubic" : "linear");
    const bool scaled = rule.coordinates == CoordinateMode::align_corners_scaled;
    node.with("coordinate_transformation_mode",
              scaled ? CoordinateMode::align_corners : rule.coordinates, ops::kCoordinateModes);
    if (is_nearest) node.with("nearest_mode", nearest_of(context), ops::kNearestModes);
    if (is_cubic) node.with("cubic_coeff_a", rule.cube_coeff);
    if (rule.antialias && !is_nearest) node.with("antialias", true);
    // Without a filter there are two taps: the one inside is the edge, which has all of the weight.
    const bool leaves_out = rule.mode == InterpolateMode::linear && rule.antialias;
    if ((leaves_out || rule.exclude_outside) && !is_nearest) node.with("exclude_outside", true);
    if (rule.coordinates == CoordinateMode::tf_crop_and_resize) {
        node.with("extrapolation_value", attributes.extrapolation_value);
    }
    if (attributes.extents == ExtentRule::not_larger ||
        attributes.extents == ExtentRule::not_smaller) {
        node.with("keep_aspect_ratio_policy", attributes.extents, ops::kExtentRules);
    }
}

}  // namespace

// ONNX's inputs are data, roi, scales and sizes.
Names write_interpolate(WriteContext& context) {
    const ops::InterpolateAttributes& attributes = context.op<ops::Interpolate>().attributes();
    check_interpolate(attributes);
    const bool crops = attributes.rule.coordinates == CoordinateMode::tf_crop_and_resize;
    const std::string roi = crops ? context.input(3) : "";
    std::string scales;
    std::string sizes;
    if (needs_sizes(context, attributes)) {
        sizes = sizes_of_output(context);
    } else if (attributes.extents == ExtentRule::scales) {
        scales = context.input_as(1, ElementType::f32);
    } else {
        sizes = context.wide_input(1);
    }
    NewNode node = context.emit("Resize", {context.input(0), roi, scales, sizes});
    add_rule(context, node);
    if (context.has_input(2)) node.with("axes", context.known_ints(2, "the axes"));
    return node;
}

Names write_grid_sample(WriteContext& context) {
    const ops::GridRule rule = context.op<ops::GridSample>().rule();
    const bool is_nearest = rule.mode == ops::GridMode::nearest;
    const bool is_cubic = rule.mode == ops::GridMode::bicubic;
    return context.emit_same()
        .with("mode", is_nearest ? "nearest"
                      : is_cubic ? "cubic"
                                 : "linear")
        .with("padding_mode", rule.padding, ops::kGridPaddings)
        .with("align_corners", rule.align_corners);
}

Names write_roi_align(WriteContext& context) {
    const ops::RoiAlignAttributes& attributes = context.op<ops::RoiAlign>().attributes();
    if (attributes.mode == ops::RoiMode::max) {
        throw UnsupportedError("it takes the greatest sample; ONNX the greatest weighted element");
    }
    if (attributes.alignment == ops::RoiAlignment::half_pixel) {
        throw UnsupportedError("its alignment is half_pixel, which ONNX doesn't have");
    }
    const bool moved = attributes.alignment == ops::RoiAlignment::half_pixel_for_nn;
    return context.emit("RoiAlign", {context.input(0), context.input(1), context.wide_input(2)})
        .with("output_height", attributes.pooled_h)
        .with("output_width", attributes.pooled_w)
        .with("sampling_ratio", attributes.sampling_ratio)
        .with("spatial_scale", attributes.spatial_scale)
        .with("mode", attributes.mode == ops::RoiMode::avg ? "avg" : "max")
        .with("coordinate_transformation_mode", moved ? "half_pixel" : "output_half_pixel");
}

}  // namespace rondo::onnx
