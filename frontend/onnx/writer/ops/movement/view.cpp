// Writes ops that keep all elements: views, Transpose, Concat, ReverseSequence, BitCast.
#include <algorithm>

#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kBitCastSince = 26;

}  // namespace

// A 0 of ONNX's pattern is the extent at the same place unless `allowzero` is set.
Names write_reshape(WriteContext& context) {
    const auto pattern = context.find_ints(1);
    const bool may_hold_zero =
        !pattern || std::find(pattern->begin(), pattern->end(), 0) != pattern->end();
    const bool takes_zero = !context.op<ops::Reshape>().special_zero() && may_hold_zero;
    NewNode node = context.emit("Reshape", {context.input(0), context.vector(1)});
    if (takes_zero) node.with_int("allowzero", 1);
    return {node};
}

// Without axes each one of extent 1 goes, and ONNX doesn't let an axis be named twice.
Names write_squeeze(WriteContext& context) {
    if (!context.has_input(1)) return {context.emit("Squeeze", {context.input(0)})};
    const auto axes = context.find_ints(1);
    if (!axes) return {context.emit("Squeeze", {context.input(0), context.vector(1)})};
    if (axes->empty()) return {context.emit("Squeeze", {context.input(0)})};
    return {context.squeeze(context.input(0), context.distinct_axes(*axes))};
}

Names write_unsqueeze(WriteContext& context) {
    return {context.emit("Unsqueeze", {context.input(0), context.vector(1)})};
}

Names write_transpose(WriteContext& context) {
    const Ints order = context.known_ints(1, "the axes' order");
    NewNode node = context.emit("Transpose", {context.input(0)});
    if (!order.empty()) node.with_ints("perm", order);
    return {node};
}

Names write_concat(WriteContext& context) {
    return {context.emit("Concat", context.inputs())
                .with_int("axis", context.op<ops::Concat>().axis())};
}

// ONNX's axes are the first two, in either order.
Names write_reverse_sequence(WriteContext& context) {
    const auto& op = context.op<ops::ReverseSequence>();
    const auto reversed = [&](const std::string& data, std::int64_t batch, std::int64_t time) {
        return context.emit("ReverseSequence", {data, context.input_as(1, ElementType::i64)})
            .with_int("batch_axis", batch)
            .with_int("time_axis", time);
    };
    const auto rank = [&] { return static_cast<std::int64_t>(context.rank(0)); };
    const auto from_front = [&](std::int64_t axis) { return axis < 0 ? axis + rank() : axis; };
    const std::int64_t batch = from_front(op.batch_axis());
    const std::int64_t time = from_front(op.seq_axis());
    if (batch < 2 && time < 2) return {reversed(context.input(0), batch, time)};
    Ints order = {batch, time};
    for (std::int64_t axis = 0; axis < rank(); ++axis) {
        if (axis != batch && axis != time) order.push_back(axis);
    }
    const NewNode node = reversed(context.transpose(context.input(0), order), 0, 1);
    return {context.transpose(node, inverse_order(order))};
}

Names write_bit_cast(WriteContext& context) {
    context.require_opset(kBitCastSince);
    return {context.emit("BitCast", {context.input(0)})
                .with_int("to", onnx_from_element_type(context.node().output_type(0)))};
}

}  // namespace rondo::onnx
