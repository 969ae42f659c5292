// Converts AffineGrid: products of the matrices and the places of an even grid.
#include <string>

#include "core/ops/movement/reshape.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/range.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using Ints = std::vector<std::int64_t>;

// The centres of `extent` even parts of [-1, 1], or, with `align_corners`, as many places from -1
// to 1: (2 i + 1) / extent - 1 or 2 i / (extent - 1) - 1. A single place is -1 then.
Output make_places(NodeContext& context, const Output& extent, ElementType type,
                   bool align_corners) {
    const auto number = [&](const char* role, double value) {
        return make_filled(context, role, type, {}, value);
    };
    const auto binary = [&](const char* role, BinaryFunction function, const Output& a,
                            const Output& b) { return make_binary(context, role, function, a, b); };
    const Output length = make_reshape(context, "extent", extent, {});
    const Output count = make_converted(context, "count", length, type);
    const Output index =
        context.make<ops::Range>("index", make_int_scalar(context, "first", 0), length,
                                 make_int_scalar(context, "step", 1), type);
    const Output twice = binary("twice", BinaryFunction::multiply, index, number("two", 2));
    const Output one = number("one", 1);
    const Output above = align_corners ? twice : binary("odd", BinaryFunction::add, twice, one);
    const Output parts = align_corners
                             ? binary("parts", BinaryFunction::maximum,
                                      binary("gaps", BinaryFunction::subtract, count, one), one)
                             : count;
    return binary("places", BinaryFunction::subtract,
                  binary("quotient", BinaryFunction::divide, above, parts), one);
}

// [extents..., 1]: the places along spatial axis `axis` of `axes`.
Output make_coordinate(NodeContext& context, const Output& places, std::size_t axis,
                       std::size_t axes, const Output& extents) {
    Ints pattern(axes + 1, 1);
    pattern[axis] = -1;
    const Output all =
        make_concat(context, "grid_shape", {extents, make_ints(context, "single", {1})}, 0);
    return make_broadcast(context, "coordinate", make_reshape(context, "column", places, pattern),
                          all);
}

}  // namespace

// grid = [x, y, z, 1] theta^T for each point.
std::vector<Output> convert_affine_grid(NodeContext& context) {
    const Output theta = context.input(0);
    const Output size = context.input(1);
    const bool align_corners = context.attributes().flag("align_corners", false);
    const ElementType type = NodeContext::known_type(theta, "theta");
    const ElementType arithmetic = arithmetic_type(type);
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
    for (std::int64_t i = 0; i < axes; ++i) {
        single.push_back(make_element(context, "spatial", size, i + 2));
    }
    const Output extents = make_concat(context, "extents", single, 0);
    std::vector<Output> parts;
    for (std::size_t i = count; i-- > 0;) {  // the last axis stands first
        const Output places = make_places(context, single[i], arithmetic, align_corners);
        parts.push_back(make_coordinate(context, places, i, count, extents));
    }
    const Output ones = make_filled(context, "ones", arithmetic, {1}, 1);
    parts.push_back(make_coordinate(context, ones, 0, count, extents));
    const Output points =
        make_reshape(context, "points", make_concat(context, "base", parts, -1), {-1, axes + 1});
    const Output columns = make_transpose(
        context, "columns", make_converted(context, "wide", theta, arithmetic), {0, 2, 1});
    const Output moved = context.make<ops::MatMul>("moved", points, columns);
    // [N, points, axes] gets its spatial axes back.
    const Output batch =
        make_element(context, "batch", make_shape_of(context, "theta_shape", theta), 0);
    const Output shape =
        make_concat(context, "shape", {batch, extents, make_ints(context, "numbers", {axes})}, 0);
    const Output grid =
        context.make<ops::Reshape>(type == arithmetic ? "" : "grid", moved, shape, false);
    return {make_converted(context, "", grid, type)};
}

}  // namespace rondo::onnx
