// Converts the operators that put elements elsewhere: Concat, Gather, ReverseSequence, Slice, Tile,
// DepthToSpace, SpaceToDepth and Trilu.
#include "core/graph/infer_context.hpp"
#include "core/ops/compositions.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// Before opset 4 the axis may be absent: 1.
std::vector<Output> convert_concat_1(NodeContext& by) {
    return {by.concat(by.all_inputs(1), by.attribute("axis", 1))};
}

std::vector<Output> convert_concat_4(NodeContext& by) {
    const std::int64_t axis = by.required_int("axis");
    return {by.concat(by.all_inputs(1), axis)};
}

std::vector<Output> convert_gather(NodeContext& by) {
    return {by.gather(by.input(0), by.input(1), by.attribute("axis", 0))};
}

std::vector<Output> convert_reverse_sequence(NodeContext& by) {
    const std::int64_t batch_axis = by.attribute("batch_axis", 1);
    const std::int64_t time_axis = by.attribute("time_axis", 0);
    return {by.make<ops::ReverseSequence>(by.input(0), by.input(1), batch_axis, time_axis)};
}

namespace {

// `steps` are 1 if they are empty, `axes` those from the first on.
std::vector<Output> sliced(NodeContext& by, const Output& starts, const Output& ends,
                           const Output& axes, const Output& steps) {
    const PartialShape& shape = starts.shape();
    const bool is_known = shape.has_rank() && shape.rank() == 1 && shape.is_static() &&
                          shape[0].max() <= std::int64_t{kMaxAxes};
    const Output each = steps      ? steps
                        : is_known ? by.ints(Ints(static_cast<std::size_t>(shape[0].length()), 1))
                                   : by.broadcast(by.integer(1), by.shape_of(starts));
    if (!axes) return {by.make<ops::Slice>(by.input(0), starts, ends, each)};
    return {by.make<ops::Slice>(by.input(0), starts, ends, each, axes)};
}

}  // namespace

std::vector<Output> convert_slice_1(NodeContext& by) {
    const Output starts = by.ints(by.required_ints("starts"));
    const Output ends = by.ints(by.required_ints("ends"));
    const auto axes = by.attributes().find_ints("axes");
    return sliced(by, starts, ends, axes ? by.ints(*axes) : Output(), {});
}

std::vector<Output> convert_slice_10(NodeContext& by) {
    return sliced(by, by.input(1), by.input(2), by.optional_input(3), by.optional_input(4));
}

namespace {

std::size_t tiled_axis(NodeContext& by, const Output& axis) {
    const PartialShape& shape = by.input(0).shape();
    const auto known = known_value(axis);
    if (!known || known.size() != 1 || !shape.has_rank()) {
        throw UnsupportedError("axis " +
                               std::string(known ? "has shape " + to_string(known.shape())
                                                 : "is known only at run time") +
                               ", data has shape " + to_string(shape) +
                               "; expected one constant and a known rank");
    }
    return by.normal_axis(to_int64_vector(known).front(), shape);
}

}  // namespace

// One axis, and how often it repeats: both numbers may have a floating type.
std::vector<Output> convert_tile_1(NodeContext& by) {
    const Output data = by.input(0), tiles = by.input(1);
    const std::size_t axis = tiled_axis(by, by.input(2));
    std::vector<Output> repeats(data.shape().rank(), by.ints({1}));
    repeats[axis] = by.reshape(by.make<ops::Convert>(tiles, ElementType::i64), {1});
    return {by.make<ops::Tile>(data, by.concat(repeats, 0))};
}

std::vector<Output> convert_tile_6(NodeContext& by) {
    const Output data = by.input(0), repeats = by.input(1);
    const PartialShape& shape = data.shape();
    if (shape.has_rank()) {
        NodeContext::check_shape(repeats, {static_cast<std::int64_t>(shape.rank())}, "repeats");
    }
    return {by.make<ops::Tile>(data, repeats)};
}

// DCR: the depth says the column and the row of a block first, then the channel; CRD: last.
std::vector<Output> convert_block_move(NodeContext& by, bool to_depth) {
    constexpr std::pair<std::string_view, ops::BlockMode> kModes[] = {
        {"DCR", ops::BlockMode::blocks_first}, {"CRD", ops::BlockMode::depth_first}};
    const std::int64_t size = by.required_int("blocksize"), mode_since = to_depth ? 28 : 11;
    const ops::BlockMode mode =
        by.opset() < mode_since ? ops::BlockMode::blocks_first : by.choice("mode", "DCR", kModes);
    if (to_depth) return {by.make<ops::SpaceToDepth>(by.input(0), size, mode)};
    return {by.make<ops::DepthToSpace>(by.input(0), size, mode)};
}

std::vector<Output> convert_trilu(NodeContext& by) {
    const Output data = by.input(0);
    NodeContext::known_type(data, "input");
    const bool is_upper = by.attribute("upper", true);
    const Output k = by.has_input(1) ? by.input(1) : by.integer(0);
    if (data.shape().has_rank() && data.shape().rank() < 2) {
        throw ModelError("the input has shape " + to_string(data.shape()) +
                         "; expected matrices, rank 2 or more");
    }
    const auto extent = [&](std::int64_t axis) { return by.scalar(by.run_extent(data, axis)); };
    const ops::Diagonal diagonal = ops::diagonal(by, extent(-2), extent(-1), k);
    const auto side = is_upper ? CompareFunction::greater_equal : CompareFunction::less_equal;
    const Output kept = by.compare(side, diagonal.columns, diagonal.meets);
    return {by.select(kept, data, by.number(0, data))};
}

}  // namespace rondo::onnx
