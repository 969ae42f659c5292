#include "frontend/onnx/writer/ops/control/rounds.hpp"

#include <limits>

#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Stacked parts of one element [n, ..] become [.., n, ..]; larger ones [n, .., p, ..] become
// [.., n p, ..].
std::string joined(WriteContext& context, const ops::BodyOutput& port, std::string stacked) {
    const ops::PartRange& range = *port.concat;
    const PartialShape& shape = context.node().output_shape(port.output);
    if (!shape.has_rank()) throw UnsupportedError("the rank of a joined output isn't known");
    if (range.is_reversed()) {
        stacked = context.emit("Slice", {stacked, context.ints({-1}),
                                         context.ints({std::numeric_limits<std::int64_t>::min()}),
                                         context.ints({0}), context.ints({-1})});
    }
    const bool single = range.part_size == 1;
    Ints order = counted_ints(shape.rank() + (single ? 0 : 1));
    order.erase(order.begin());
    order.insert(order.begin() + range.axis, 0);
    const std::string moved = context.transpose(stacked, order);
    if (single) return moved;
    const std::string extents = context.shape_of(moved);
    Ints before;
    Ints behind;
    for (const std::int64_t axis : counted_ints(shape.rank() + 1)) {
        if (axis < range.axis) before.push_back(axis);
        if (axis > range.axis + 1) behind.push_back(axis);
    }
    Names pattern;
    if (!before.empty()) pattern.push_back(context.elements(extents, before));
    pattern.push_back(context.emit("Mul", {context.elements(extents, {range.axis}),
                                           context.elements(extents, {range.axis + 1})}));
    if (!behind.empty()) pattern.push_back(context.elements(extents, behind));
    return context.emit("Reshape", {moved, context.joined(pattern)}).with_int("allowzero", 1);
}

}  // namespace

Rounds::Rounds(const ops::IteratedOp& op) {
    for (const auto& port : op.body_ports().inputs) {
        if (port.slice && port.back_edge) {
            throw UnsupportedError("a part of an input goes round, which ONNX's loops can't");
        }
        (port.slice ? sliced : port.back_edge ? carried : whole).push_back(port);
    }
    for (const auto& port : op.body_ports().outputs) {
        if (port.concat || carried_place(*this, port.result) == carried.size()) {
            joined.push_back(port);
        }
    }
}

std::size_t carried_place(const Rounds& rounds, std::size_t result) {
    std::size_t place = 0;
    while (place < rounds.carried.size() && rounds.carried[place].back_edge != result) ++place;
    return place;
}

std::string stacked_part(BodyDraft& body, const ops::BodyOutput& port) {
    const std::string value = body.result(port.result);
    if (!port.concat || port.concat->part_size != 1) return value;
    Tensor axis(ElementType::i64, {1});
    *axis.data<std::int64_t>() = port.concat->axis;
    return body.draft().emit("Squeeze", {value, body.draft().constant(axis)});
}

std::string last_of_rounds(WriteContext& context, const std::string& stacked) {
    return context.emit("Gather", {stacked, context.scalar(-1)}).with_int("axis", 0);
}

Names outputs_of_rounds(WriteContext& context, const Rounds& rounds, const NewNode& node) {
    Names outputs(context.node().output_count());
    for (const auto& port : context.op<ops::IteratedOp>().body_ports().outputs) {
        const std::size_t place = carried_place(rounds, port.result);
        if (!port.concat && place < rounds.carried.size())
            outputs[port.output] = node.output(place);
    }
    for (std::size_t i = 0; i < rounds.joined.size(); ++i) {
        const auto& port = rounds.joined[i];
        const std::string stacked = node.output(rounds.carried.size() + i);
        outputs[port.output] =
            port.concat ? joined(context, port, stacked) : last_of_rounds(context, stacked);
    }
    return outputs;
}

}  // namespace rondo::onnx
