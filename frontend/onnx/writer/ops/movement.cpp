// Ops that move elements: views, Transpose, Concat, ReverseSequence, blocks, Gather, Broadcast,
// Tile and Split.
#include <algorithm>
#include <numeric>

#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"

namespace rondo::onnx {
namespace {

// Between a space [N, C, S1, .., SK] and its depth [N, b^K C, S1 / b, .., SK / b]: a view [N, b..,
// C, S..] or [N, C, b.., S..] of the depth has the axes of a view [N, C, S1, b, ..] of the space.
std::string moved_blocks(WriteContext& context, bool to_depth) {
    const auto& op = context.op<ops::BlockMove>();
    const bool blocks_first = op.mode() == ops::BlockMode::blocks_first;
    const auto spatial = static_cast<std::int64_t>(context.rank(0)) - 2;
    const std::string shape = context.shape_of(context.input(0));
    const auto extent = [&](std::int64_t axis) { return context.elements(shape, {axis}); };
    const auto block = [&] { return context.ints({op.block_size()}); };
    Ints order{0, blocks_first ? spatial + 1 : 1};
    std::int64_t volume = 1;
    for (std::int64_t i = 0; i < spatial; ++i) {
        order.insert(order.end(), {spatial + 2 + i, i + (blocks_first ? 1 : 2)});
        volume *= op.block_size();
    }
    Names split;
    Names joined;
    if (to_depth) {
        order = inverse_order(order);
        split = {extent(0), extent(1)};
        joined = {extent(0), context.emit("Mul", {extent(1), context.ints({volume})})};
        for (std::int64_t i = 0; i < spatial; ++i) {
            const std::string size = block();
            joined.push_back(context.emit("Div", {extent(2 + i), size}));
            split.insert(split.end(), {joined.back(), size});
        }
    } else {
        const std::string blocks = context.ints({volume});
        const std::string channels = context.emit("Div", {extent(1), blocks});
        split = {extent(0), channels};
        joined = {extent(0), channels};
        const auto place = blocks_first ? split.end() - 1 : split.end();
        split.insert(place, static_cast<std::size_t>(spatial), block());
        for (std::int64_t i = 0; i < spatial; ++i) {
            split.push_back(extent(2 + i));
            joined.push_back(context.emit("Mul", {extent(2 + i), block()}));
        }
    }
    const std::string view = context.reshape_to(context.input(0), split);
    return context.reshape_to(context.transpose(view, order), joined);
}

constexpr std::size_t kImageRank = 4;

// The axis goes after the batch, and the places that GatherND puts there go back to it: data
// [B.., D.., A, E..] gives [B.., J.., D.., E..] and then [B.., D.., J.., E..].
std::string gathered_in_batch(WriteContext& context, std::int64_t batch, std::int64_t axis) {
    const std::size_t rank = context.rank(0);
    const auto places = static_cast<std::int64_t>(context.rank(1)) - batch;
    Ints order = counted_ints(rank);
    std::rotate(order.begin() + batch, order.begin() + axis, order.begin() + axis + 1);
    const std::string data = context.transpose(context.input(0), order);
    const std::string indices = context.unsqueeze(context.wide_input(1), {-1});
    const std::string gathered =
        context.emit("GatherND", {data, indices}).with("batch_dims", batch);
    // The result's axes are those of the batch, the places, those before A, those after it.
    Ints back = counted_ints(rank - 1 + static_cast<std::size_t>(places));
    const auto begin = back.begin() + batch;
    std::rotate(begin, begin + places, begin + places + (axis - batch));
    return context.transpose(gathered, back);
}

// Data with an axis of extent 1 at each place of the target that axes_mapping doesn't name.
std::string with_mapped_axes(WriteContext& context) {
    const Ints mapping = context.known_ints(2, "the axes that data's become");
    Ints added;
    for (const std::int64_t axis : counted_ints(context.known_length(1, "the target's extents"))) {
        if (std::find(mapping.begin(), mapping.end(), axis) == mapping.end()) added.push_back(axis);
    }
    return context.unsqueeze(context.input(0), added);
}

// ONNX has no -1 for what is left.
std::string split_lengths(WriteContext& context, std::int64_t axis) {
    auto lengths = context.find_ints(2);
    const bool open = !lengths || std::count(lengths->begin(), lengths->end(), -1) > 0;
    if (!open) return context.ints(*lengths);
    context.rank(0);  // throws if it isn't known
    const Dimension& extent = context.shape(0)[static_cast<std::size_t>(context.from_front(axis))];
    if (lengths && extent.is_static()) {
        // The sum counts the -1 too.
        const std::int64_t known =
            std::accumulate(lengths->begin(), lengths->end(), std::int64_t{1});
        std::replace(lengths->begin(), lengths->end(), std::int64_t{-1}, extent.length() - known);
        return context.ints(*lengths);
    }
    const std::string given = context.wide_input(2);
    const std::string whole = context.elements(context.shape_of(context.input(0)), {axis});
    const std::string sum = context.emit("ReduceSum", {given});
    const std::string known = context.emit("Add", {context.reshape(sum, {1}), context.ints({1})});
    const std::string rest = context.emit("Sub", {whole, known});
    const std::string is_rest = context.emit("Less", {given, context.ints({0})});
    return context.emit("Where", {is_rest, rest, given});
}

}  // namespace

// A 0 of ONNX's pattern is the extent at the same place unless `allowzero` is set.
Names write_reshape(WriteContext& context) {
    const auto pattern = context.find_ints(1);
    const bool may_hold_zero =
        !pattern || std::find(pattern->begin(), pattern->end(), 0) != pattern->end();
    const bool takes_zero = !context.op<ops::Reshape>().special_zero() && may_hold_zero;
    NewNode node = context.emit("Reshape", {context.input(0), context.vector(1)});
    if (takes_zero) node.with("allowzero", true);
    return node;
}

// Without axes each one of extent 1 goes, and ONNX doesn't let an axis be named twice.
Names write_squeeze(WriteContext& context) {
    const auto axes = context.has_input(1) ? context.find_ints(1) : Ints{};
    if (!axes) return context.emit("Squeeze", {context.input(0), context.vector(1)});
    if (axes->empty()) return context.emit("Squeeze", {context.input(0)});
    return {context.squeeze(context.input(0), context.distinct_axes(*axes))};
}

Names write_unsqueeze(WriteContext& context) {
    return context.emit("Unsqueeze", {context.input(0), context.vector(1)});
}

Names write_transpose(WriteContext& context) {
    const Ints order = context.known_ints(1, "the axes' order");
    NewNode node = context.emit("Transpose", {context.input(0)});
    if (!order.empty()) node.with("perm", order);
    return node;
}

Names write_concat(WriteContext& context) {
    return context.emit_same().with("axis", context.op<ops::Concat>().axis());
}

// ONNX's axes are the first two, in either order.
Names write_reverse_sequence(WriteContext& context) {
    const auto& op = context.op<ops::ReverseSequence>();
    const auto reversed = [&](const std::string& data, std::int64_t batch, std::int64_t time) {
        return context.emit("ReverseSequence", {data, context.wide_input(1)})
            .with("batch_axis", batch)
            .with("time_axis", time);
    };
    const std::int64_t batch = context.from_front(op.batch_axis());
    const std::int64_t time = context.from_front(op.seq_axis());
    if (batch < 2 && time < 2) return reversed(context.input(0), batch, time);
    Ints order = {batch, time};
    for (const std::int64_t axis : counted_ints(context.rank(0))) {
        if (axis != batch && axis != time) order.push_back(axis);
    }
    const NewNode node = reversed(context.transpose(context.input(0), order), 0, 1);
    return {context.transpose(node, inverse_order(order))};
}

// ONNX gathers the elements p - shift, counted round.
Names write_roll(WriteContext& context) {
    const Ints axes = context.known_ints(2, "the axes");
    const bool is_one = axes.size() == 1 || context.known_length(1, "the shifts") == 1;
    const std::string shifts = context.vector(1);
    std::string data = context.input(0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::string shift =
            context.gather(shifts, context.scalar(is_one ? 0 : static_cast<std::int64_t>(i)));
        const std::string extent = context.gather(context.shape_of(data), context.scalar(axes[i]));
        const std::string places =
            context.emit("Range", {context.scalar(0), extent, context.scalar(1)});
        const std::string rest = context.emit("Mod", {shift, extent});  // so that nothing overflows
        const std::string moved = context.emit("Sub", {places, rest});
        data = context.gather(data, context.emit("Mod", {moved, extent}), axes[i]);
    }
    return {data};
}

Names write_bit_cast(WriteContext& context) {
    constexpr std::int64_t kSince = 26;
    context.require_opset(kSince);
    return context.emit("BitCast", {context.input(0)})
        .with("to", onnx_from_element_type(context.node().output_type(0)));
}

Names write_depth_to_space(WriteContext& context) {
    const auto& op = context.op<ops::DepthToSpace>();
    if (context.rank(0) != kImageRank) return {moved_blocks(context, false)};
    const bool blocks_first = op.mode() == ops::BlockMode::blocks_first;
    return context.emit_same()
        .with("blocksize", op.block_size())
        .with("mode", blocks_first ? "DCR" : "CRD");
}

Names write_space_to_depth(WriteContext& context) {
    const auto& op = context.op<ops::SpaceToDepth>();
    if (context.rank(0) != kImageRank || op.mode() != ops::BlockMode::blocks_first) {
        return {moved_blocks(context, true)};
    }
    return context.emit_same().with("blocksize", op.block_size());
}

Names write_gather(WriteContext& context) {
    std::int64_t batch = context.op<ops::Gather>().batch_dims();
    const std::int64_t axis = context.known_ints(2, "the axis").at(0);
    if (batch < 0) batch += static_cast<std::int64_t>(context.rank(1));
    if (batch > 0) return {gathered_in_batch(context, batch, context.from_front(axis))};
    const std::string data = context.input(0);
    return {context.gather(data, context.indices(1), axis)};
}

// Expand takes what fits either way.
Names write_broadcast(WriteContext& context) {
    const bool mapped = context.op<ops::Broadcast>().mode() == ops::BroadcastMode::explicit_axes;
    const std::string data = mapped ? with_mapped_axes(context) : context.input(0);
    return context.emit("Expand", {data, context.vector(1)});
}

// ONNX wants a number for each axis.
Names write_tile(WriteContext& context) {
    const std::size_t rank = context.rank(0);
    const std::size_t count = context.known_length(1, "repeats");
    std::string data = context.input(0);
    if (count > rank) data = context.unsqueeze(data, counted_ints(count - rank));
    std::string repeats = context.vector(1);
    if (count < rank) repeats = context.joined({context.ints(Ints(rank - count, 1)), repeats});
    return context.emit("Tile", {data, repeats});
}

// ONNX takes a negative axis too.
Names write_split(WriteContext& context) {
    const auto parts = context.op<ops::Split>().num_splits();
    return context.emit("Split", {context.input(0)}, static_cast<std::size_t>(parts))
        .with("axis", context.known_ints(1, "the axis").at(0))
        .with("num_outputs", parts);
}

Names write_variadic_split(WriteContext& context) {
    const std::int64_t axis = context.known_ints(1, "the axis").at(0);
    const std::size_t parts = context.node().output_count();
    return context.emit("Split", {context.input(0), split_lengths(context, axis)}, parts)
        .with("axis", axis);
}

}  // namespace rondo::onnx
