// Converts Tile.
#include "core/ops/movement/tile.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::size_t axis_of(NodeContext& context, const Output& axis) {
    const PartialShape& shape = context.input(0).shape();
    const Tensor known = known_value(axis);
    if (!known || known.size() != 1 || !shape.has_rank()) {
        throw UnsupportedError("axis " +
                               std::string(known ? "has shape " + to_string(known.shape())
                                                 : "is known only at run time") +
                               ", data has shape " + to_string(shape) +
                               "; expected one constant and a known rank");
    }
    const InferContext place(context.name(), "Tile", {});
    return normalize_axis(place, to_int64_vector(known).front(), shape.rank());
}

}  // namespace

// One axis, and how often it repeats: both numbers may have a floating type.
std::vector<Output> convert_tile_1(NodeContext& context) {
    const Output data = context.input(0);
    const Output tiles = context.input(1);
    const std::size_t axis = axis_of(context, context.input(2));
    const Output whole = context.make<ops::Convert>("whole_tiles", tiles, ElementType::i64);
    std::vector<Output> repeats(data.shape().rank(), make_ints(context, "once", {1}));
    repeats[axis] = make_reshape(context, "tiles", whole, {1});
    return {context.make<ops::Tile>("", data, make_concat(context, "repeats", repeats, 0))};
}

std::vector<Output> convert_tile_6(NodeContext& context) {
    const Output data = context.input(0);
    const Output repeats = context.input(1);
    const PartialShape& shape = data.shape();
    if (shape.has_rank()) {
        NodeContext::check_shape(repeats, {static_cast<std::int64_t>(shape.rank())}, "repeats");
    }
    return {context.make<ops::Tile>("", data, repeats)};
}

}  // namespace rondo::onnx
