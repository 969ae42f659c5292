// Converts Flatten.
#include <optional>
#include <string>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/reshape.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The number of elements where it says what -1 on the other side is, which 0 doesn't.
std::optional<std::int64_t> divisor(const PartialShape& shape, std::size_t from, std::size_t to) {
    const auto count = known_elements(shape, from, to);
    return count == 0 ? std::nullopt : count;
}

// Axes from 0 to rank, both included.
std::size_t axis_of(NodeContext& context, std::size_t rank) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    const auto limit = static_cast<std::int64_t>(rank);
    if (axis < -limit || axis > limit) {
        throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                         std::to_string(rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

// The product of the first `count` elements of `shape`, at least one, as i64 [1].
Output make_product(NodeContext& context, const Output& shape, std::size_t count) {
    Output product = make_element(context, "front_0", shape, 0);
    for (std::size_t i = 1; i < count; ++i) {
        const std::string number = std::to_string(i);
        const Output extent =
            make_element(context, "front_" + number, shape, static_cast<std::int64_t>(i));
        product = context.make<ops::Binary>("product_" + number, ops::BinaryFunction::multiply,
                                            product, extent);
    }
    return product;
}

// Both sides open or empty; axis is 1 or more. The back axes become one first, which -1 can do even
// for an empty tensor, since copied extents cancel out. It can't do so for the front axes: their
// extent is written out.
Output flatten_open(NodeContext& context, const Output& data, std::size_t axis) {
    std::vector<std::int64_t> pattern(axis, 0);
    pattern.push_back(-1);
    if (axis == 1) return make_reshape(context, "", data, pattern);
    const Output back = make_reshape(context, "back", data, pattern);
    const Output shape = make_shape_of(context, "shape", back);
    const Output extent = make_element(context, "extent", shape, static_cast<std::int64_t>(axis));
    const Output both =
        make_concat(context, "pattern", {make_product(context, shape, axis), extent}, 0);
    return context.make<ops::Reshape>("", back, both);
}

}  // namespace

std::vector<Output> convert_flatten(NodeContext& context) {
    const Output data = context.input(0);
    const PartialShape& shape = data.shape();
    if (!shape.has_rank()) throw UnsupportedError("the input's rank isn't known");
    const std::size_t axis = axis_of(context, shape.rank());
    if (shape.is_static()) {
        const Output pattern = make_ints(
            context, "pattern",
            {*known_elements(shape, 0, axis), *known_elements(shape, axis, shape.rank())});
        return {context.make<ops::Reshape>("", data, pattern)};
    }
    if (const auto back = divisor(shape, axis, shape.rank())) {
        return {make_reshape(context, "", data, {-1, *back})};
    }
    if (const auto front = divisor(shape, 0, axis)) {
        return {make_reshape(context, "", data, {*front, -1})};
    }
    return {flatten_open(context, data, axis)};
}

}  // namespace rondo::onnx
