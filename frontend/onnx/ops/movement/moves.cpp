// Converts the operators that put elements elsewhere: Concat, Gather, ReverseSequence, Tile and
// Trilu.
#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "core/ops/movement/tile.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// Before opset 4 the axis may be absent: 1.
std::vector<Output> convert_concat_1(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    return {context.make<ops::Concat>("", context.all_inputs(1), axis)};
}

std::vector<Output> convert_concat_4(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    return {context.make<ops::Concat>("", context.all_inputs(1), *axis)};
}

std::vector<Output> convert_gather(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    return {context.make<ops::Gather>("", context.input(0), context.input(1),
                                      make_int_scalar(context, "axis", axis))};
}

std::vector<Output> convert_reverse_sequence(NodeContext& context) {
    const std::int64_t batch_axis = context.attributes().find_int("batch_axis").value_or(1);
    const std::int64_t time_axis = context.attributes().find_int("time_axis").value_or(0);
    return {context.make<ops::ReverseSequence>("", context.input(0), context.input(1), batch_axis,
                                               time_axis)};
}

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

std::vector<Output> convert_trilu(NodeContext& context) {
    const Output data = context.input(0);
    const ElementType type = NodeContext::known_type(data, "input");
    const bool is_upper = context.attributes().flag("upper", true);
    const Output k =
        context.has_input(1) ? context.input(1) : Output(make_int_scalar(context, "k", 0));
    const Diagonal diagonal = make_diagonal(context, data, k);
    const auto side =
        is_upper ? ops::CompareFunction::greater_equal : ops::CompareFunction::less_equal;
    const Output kept = context.make<ops::Compare>("kept", side, diagonal.columns, diagonal.meets);
    return {context.make<ops::Select>("", kept, data, make_filled(context, "zero", type, {}, 0))};
}

}  // namespace rondo::onnx
