// Converts AffineGrid, products of matrices and the places of an even grid, and what takes samples
// at such places: GridSample and RoiAlign.
#include <utility>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/window/samplers.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The centres of `extent` even parts of [-1, 1], or, with `align_corners`, as many places from -1
// to 1: (2 i + 1) / extent - 1 or 2 i / (extent - 1) - 1. A single place is -1 then.
Output even_places(NodeContext& by, const Output& extent, ElementType type, bool align_corners) {
    const Output length = by.scalar(extent);
    const Output count = by.convert(length, type), one = by.number(type, 1);
    const Output twice = by.multiply(by.range(length, type), by.number(type, 2));
    const Output above = align_corners ? twice : by.add(twice, one);
    const Output parts = align_corners ? by.maximum(by.subtract(count, one), one) : count;
    return by.subtract(by.divide(above, parts), one);
}

}  // namespace

// grid = [x, y, z, 1] theta^T for each point.
std::vector<Output> convert_affine_grid(NodeContext& by) {
    const Output theta = by.input(0), size = by.input(1);
    const bool align_corners = by.attribute("align_corners", false);
    const ElementType type = NodeContext::known_type(theta, "theta");
    const ElementType wide = arithmetic_type(type);
    NodeContext::check_shape(theta, PartialShape::of_rank(3), "theta");
    NodeContext::check_shape(size, PartialShape::of_rank(1), "size");
    const Dimension rows = theta.shape().has_rank() ? theta.shape()[1] : Dimension();
    const Dimension sizes = size.shape().has_rank() ? size.shape()[0] : Dimension();
    if (!rows.is_static() && !sizes.is_static()) {
        throw UnsupportedError("neither theta nor size says how many spatial axes there are");
    }
    const std::int64_t axes = rows.is_static() ? rows.length() : sizes.length() - 2;
    if (axes != 2 && axes != 3) {
        throw ModelError("theta has shape " + to_string(theta.shape()) + " and size " +
                         to_string(size.shape()) + "; expected two or three spatial axes");
    }
    NodeContext::check_shape(theta, {Dimension(), axes, axes + 1}, "theta");
    NodeContext::check_shape(size, {axes + 2}, "size");
    const auto count = static_cast<std::size_t>(axes);
    std::vector<Output> single;
    for (const std::int64_t i : ints_from(2, count + 2)) {
        single.push_back(by.gather(size, by.ints({i}), 0));
    }
    const Output extents = by.concat(single, 0);
    // [extents..., 1]: the places along a spatial axis.
    const auto coordinate = [&](const Output& places, std::size_t axis) {
        return by.broadcast(by.reshape(places, along_axis_pattern(count + 1, axis)),
                            by.concat({extents, by.ints({1})}, 0));
    };
    std::vector<Output> parts;
    for (std::size_t i = count; i-- > 0;) {  // the last axis is first
        parts.push_back(coordinate(even_places(by, single[i], wide, align_corners), i));
    }
    parts.push_back(coordinate(by.number(wide, 1), 0));
    const Output points = by.reshape(by.concat(parts, -1), {-1, axes + 1});
    const Output moved = by.product(points, by.transpose(by.convert(theta, wide), {0, 2, 1}));
    // [N, points, axes] gets its spatial axes back.
    const Output shape = by.concat({by.run_extent(theta, 0), extents, by.ints({axes})}, 0);
    return {by.convert(by.reshape_to(moved, shape), type)};
}

// Integers are computed in floating point, and cut at the end.
std::vector<Output> convert_grid_sample(NodeContext& by) {
    constexpr std::int64_t kModesRenamedIn = 20;
    constexpr std::pair<std::string_view, ops::GridMode> kModes[] = {
        {"linear", ops::GridMode::bilinear},
        {"nearest", ops::GridMode::nearest},
        {"cubic", ops::GridMode::bicubic}};
    constexpr std::pair<std::string_view, ops::GridMode> kOldModes[] = {
        {"bilinear", ops::GridMode::bilinear},
        {"nearest", ops::GridMode::nearest},
        {"bicubic", ops::GridMode::bicubic}};
    const Output x = by.input(0), grid = by.input(1);
    ops::GridRule rule;
    rule.mode = by.opset() < kModesRenamedIn ? by.choice("mode", "bilinear", kOldModes)
                                             : by.choice("mode", "linear", kModes);
    rule.padding = by.choice("padding_mode", "zeros", ops::kGridPaddings);
    rule.align_corners = by.attribute("align_corners", false);
    const ElementType type = NodeContext::known_type(x, "X");
    const bool converts = rule.mode != ops::GridMode::nearest && is_integral(type);
    const Output wide = converts ? by.convert(x, ElementType::f64) : x;
    return {by.convert(by.make<ops::GridSample>(wide, grid, rule), type)};
}

std::vector<Output> convert_roi_align(NodeContext& by) {
    constexpr std::int64_t kHalfPixelSince = 16;
    constexpr std::pair<std::string_view, ops::RoiMode> kModes[] = {
        {"avg", ops::RoiMode::avg}, {"max", ops::RoiMode::max_part}};
    // ONNX's half_pixel moves the scaled numbers alone. Before opset 16 nothing is moved.
    constexpr std::pair<std::string_view, ops::RoiAlignment> kAlignments[] = {
        {"half_pixel", ops::RoiAlignment::half_pixel_for_nn},
        {"output_half_pixel", ops::RoiAlignment::asymmetric}};
    ops::RoiAlignAttributes attributes;
    attributes.pooled_h = by.attribute("output_height", 1);
    attributes.pooled_w = by.attribute("output_width", 1);
    attributes.sampling_ratio = by.attribute("sampling_ratio", 0);
    attributes.spatial_scale = by.attribute("spatial_scale", 1.0F);
    attributes.mode = by.choice("mode", "avg", kModes);
    attributes.alignment =
        by.opset() < kHalfPixelSince
            ? ops::RoiAlignment::asymmetric
            : by.choice("coordinate_transformation_mode", "half_pixel", kAlignments);
    std::vector<Output> inputs{by.input(0), by.input(1), by.input(2)};
    return {by.make<ops::RoiAlign>(std::move(inputs), attributes)};
}

}  // namespace rondo::onnx
