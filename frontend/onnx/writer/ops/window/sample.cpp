// Writes Interpolate, GridSample, ROIAlign and Col2Im.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ops/window/col2im.hpp"
#include "core/ops/window/grid_sample.hpp"
#include "core/ops/window/interpolate.hpp"
#include "core/ops/window/roi_align.hpp"
#include "frontend/onnx/writer/ops/window/window_attributes.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateMode;
using ops::NearestMode;

template <typename Enum, std::size_t size>
std::string name_of(Enum value, const std::pair<std::string_view, Enum> (&names)[size]) {
    for (const auto& [name, entry] : names) {
        if (entry == value) return std::string(name);
    }
    return {};
}

void check_interpolate(const ops::InterpolateAttributes& attributes) {
    const auto refuse = [](const char* what) {
        throw UnsupportedError(std::string(what) + ", which ONNX's Resize doesn't have");
    };
    const auto is_zero = [](std::int64_t pad) { return pad == 0; };
    for (const Ints* pads : {&attributes.pads_begin, &attributes.pads_end}) {
        if (!std::all_of(pads->begin(), pads->end(), is_zero)) refuse("it pads the data");
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

// align_corners looks at the extents in the IR, at the scales in ONNX: they differ where the
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
    const auto rank = static_cast<std::int64_t>(context.rank(0));
    Ints sizes;
    for (const std::int64_t axis :
         context.has_input(2) ? context.known_ints(2, "the axes") : counted_ints(context.rank(0))) {
        const Dimension& extent = shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
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
    node.with_text("mode", is_nearest ? "nearest" : is_cubic ? "cubic" : "linear");
    const bool scaled = rule.coordinates == CoordinateMode::align_corners_scaled;
    node.with_text(
        "coordinate_transformation_mode",
        name_of(scaled ? CoordinateMode::align_corners : rule.coordinates, ops::kCoordinateModes));
    if (is_nearest) {
        node.with_text("nearest_mode", name_of(nearest_of(context), ops::kNearestModes));
    }
    if (is_cubic) node.with_float("cubic_coeff_a", rule.cube_coeff);
    if (rule.antialias && !is_nearest) node.with_int("antialias", 1);
    // Without a filter there are two taps: the one inside is the edge, which has all of the weight.
    const bool leaves_out = rule.mode == InterpolateMode::linear && rule.antialias;
    if ((leaves_out || rule.exclude_outside) && !is_nearest) node.with_int("exclude_outside", 1);
    if (rule.coordinates == CoordinateMode::tf_crop_and_resize) {
        node.with_float("extrapolation_value", attributes.extrapolation_value);
    }
    if (attributes.extents == ExtentRule::not_larger ||
        attributes.extents == ExtentRule::not_smaller) {
        node.with_text("keep_aspect_ratio_policy", name_of(attributes.extents, ops::kExtentRules));
    }
}

}  // namespace

// ONNX's inputs are data, roi, scales and sizes.
Names write_interpolate(WriteContext& context) {
    const ops::InterpolateAttributes& attributes = context.op<ops::Interpolate>().attributes();
    check_interpolate(attributes);
    const bool crops = attributes.rule.coordinates == CoordinateMode::tf_crop_and_resize;
    const std::string roi = crops ? context.input(3) : "";
    const bool by_scales = attributes.extents == ExtentRule::scales;
    std::string scales;
    std::string sizes;
    if (needs_sizes(context, attributes)) {
        sizes = sizes_of_output(context);
    } else if (by_scales) {
        scales = context.input_as(1, ElementType::f32);
    } else {
        sizes = context.input_as(1, ElementType::i64);
    }
    NewNode node = context.emit("Resize", {context.input(0), roi, scales, sizes});
    add_rule(context, node);
    if (context.has_input(2)) node.with_ints("axes", context.known_ints(2, "the axes"));
    return {node};
}

Names write_grid_sample(WriteContext& context) {
    const ops::GridRule rule = context.op<ops::GridSample>().rule();
    const bool is_nearest = rule.mode == ops::GridMode::nearest;
    const bool is_cubic = rule.mode == ops::GridMode::bicubic;
    return {context.emit("GridSample", context.inputs())
                .with_text("mode", is_nearest ? "nearest"
                                   : is_cubic ? "cubic"
                                              : "linear")
                .with_text("padding_mode", name_of(rule.padding, ops::kGridPaddings))
                .with_int("align_corners", rule.align_corners ? 1 : 0)};
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
    return {context
                .emit("RoiAlign",
                      {context.input(0), context.input(1), context.input_as(2, ElementType::i64)})
                .with_int("output_height", attributes.pooled_h)
                .with_int("output_width", attributes.pooled_w)
                .with_int("sampling_ratio", attributes.sampling_ratio)
                .with_float("spatial_scale", attributes.spatial_scale)
                .with_text("mode", attributes.mode == ops::RoiMode::avg ? "avg" : "max")
                .with_text("coordinate_transformation_mode",
                           moved ? "half_pixel" : "output_half_pixel")};
}

// ONNX always has a batch.
Names write_col2im(WriteContext& context) {
    const auto& attributes = context.op<ops::Col2Im>().attributes();
    const bool has_batch = context.rank(0) == 3;
    const PartialShape& sizes = context.shape(1).is_static() ? context.shape(1) : context.shape(2);
    if (!sizes.is_static()) throw UnsupportedError("the number of axes isn't known");
    const std::string data =
        has_batch ? context.input(0) : context.unsqueeze(context.input(0), {0});
    NewNode node = context.emit("Col2Im", {data, context.input_as(1, ElementType::i64),
                                           context.input_as(2, ElementType::i64)});
    add_window(node, attributes, static_cast<std::size_t>(sizes[0].length()));
    return {has_batch ? std::string(node) : context.squeeze(node, {0})};
}

}  // namespace rondo::onnx
