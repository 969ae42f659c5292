// Writes Loop, and TensorIterator as Scan or, where its parts are larger, as Loop.
#include "core/ops/control/loop.hpp"

#include <limits>

#include "frontend/onnx/writer/ops/control/rounds.hpp"
#include "frontend/onnx/writer/ops/control/scan.hpp"
#include "frontend/onnx/writer/ops/control/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::PartRange;

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

// One element of rank 0.
std::string as_scalar(WriteContext& context, const std::string& value, const PartialShape& shape) {
    return shape.has_rank() && shape.rank() == 0 ? value : context.reshape(value, {});
}

// An element of the range, counted from the front: known, or by the extent of its axis: [1].
std::string bound(WriteContext& context, const ops::BodyInput& port, std::int64_t at) {
    if (at >= 0) return context.ints({at});
    const auto axis = static_cast<std::size_t>(port.slice->axis);
    const PartialShape& shape = context.shape(port.input);
    if (shape.has_rank() && shape[axis].is_static()) {
        return context.ints({shape[axis].length() + at});
    }
    const std::string extent =
        context.elements(context.shape_of(context.input(port.input)), {port.slice->axis});
    return context.emit("Add", {extent, context.ints({at})});
}

// The number of parts, i64 of rank 0.
std::string part_count(WriteContext& context, const ops::BodyInput& port) {
    const PartRange& range = *port.slice;
    const bool down = range.is_reversed();
    const std::string low = bound(context, port, down ? range.end : range.start);
    const std::string high = bound(context, port, down ? range.start : range.end);
    const std::string length =
        context.emit("Add", {context.emit("Sub", {high, low}), context.ints({1})});
    return context.reshape(context.emit("Div", {length, context.ints({range.part_size})}), {});
}

// The lowest element of the first part: [1].
std::string first_element(WriteContext& context, const ops::BodyInput& port) {
    const PartRange& range = *port.slice;
    const std::string start = bound(context, port, range.start);
    if (!range.is_reversed() || range.part_size == 1) return start;
    return context.emit("Sub", {start, context.ints({range.part_size - 1})});
}

// How often the body runs at the most; "" for a number without a bound.
std::string trip_count(WriteContext& context, const Rounds& rounds) {
    if (dynamic_cast<const ops::Loop*>(&context.node()) == nullptr) {
        return part_count(context, rounds.sliced.front());
    }
    if (const auto known = context.find_ints(0)) {
        return known->at(0) < 0 ? "" : context.scalar(known->at(0));
    }
    const std::string count =
        as_scalar(context, context.input_as(0, ElementType::i64), context.shape(0));
    const std::string endless = context.emit("Less", {count, context.scalar(0)});
    return context.emit("Where", {endless, context.scalar(kEndless), count});
}

class LoopWriter {
public:
    explicit LoopWriter(WriteContext& context)
        : context_(context), op_(context.op<ops::IteratedOp>()), rounds_(op_) {}

    Names write() {
        const Names outer = context_.inputs();
        const bool is_loop = dynamic_cast<const ops::Loop*>(&context_.node()) != nullptr;
        const std::string goes = is_loop ? as_scalar(context_, outer[1], context_.shape(1))
                                         : context_.number(ElementType::boolean, 1);
        Names inputs{trip_count(context_, rounds_), goes};
        for (const auto& port : rounds_.carried) inputs.push_back(outer[port.input]);
        for (const auto& port : rounds_.sliced) firsts_.push_back(first_element(context_, port));
        NewNode node =
            context_.emit("Loop", inputs, rounds_.carried.size() + rounds_.joined.size());
        write_body(outer, node);
        return outputs_of_rounds(context_, rounds_, node);
    }

private:
    void write_body(const Names& outer, NewNode& node) {
        BodyDraft body(context_, op_.body(),
                       node.add_graph("body", context_.node().name() + "/body"));
        iteration_ = body.add_input("iteration", ElementType::i64, PartialShape(Shape{}));
        const std::string goes_on =
            body.add_input("goes_on", ElementType::boolean, PartialShape(Shape{}));
        for (const auto& port : rounds_.carried) body.add_parameter(port.parameter);
        for (const auto& port : rounds_.whole) {
            body.set_parameter(port.parameter, outer[port.input]);
        }
        // Nodes of the body: what the context makes for the op stays around it.
        WriteContext inside(context_.node(), body.draft());
        add_iteration(body, inside);
        for (std::size_t i = 0; i < rounds_.sliced.size(); ++i) {
            add_part(body, inside, i, outer[rounds_.sliced[i].input]);
        }
        body.write_nodes();
        add_condition(body, inside, goes_on);
        for (const auto& port : rounds_.carried) body.add_result(*port.back_edge);
        for (const auto& port : rounds_.joined) {
            body.add_output(stacked_part(body, port), body.source_of(port.result).element_type(),
                            PartialShape());
        }
    }

    void add_iteration(BodyDraft& body, WriteContext& inside) {
        const auto index = op_.iteration_parameter();
        if (!index) return;
        const Output parameter = body.parameter(*index);
        std::string value = inside.cast(iteration_, ElementType::i64, parameter.element_type());
        if (!parameter.shape().has_rank() || parameter.shape().rank() != 0) {
            value = inside.reshape(value, {1});
        }
        body.set_parameter(*index, value);
    }

    // Elements first + iteration * stride and, of larger parts, those behind it.
    void add_part(BodyDraft& body, WriteContext& inside, std::size_t i, const std::string& whole) {
        const auto& port = rounds_.sliced[i];
        const std::string walked =
            inside.emit("Mul", {iteration_, inside.ints({port.slice->stride})});
        const std::string begin = inside.emit("Add", {walked, firsts_[i]});
        const std::string end = inside.emit("Add", {begin, inside.ints({port.slice->part_size})});
        body.set_parameter(port.parameter, inside.emit("Slice", {whole, begin, end,
                                                                 inside.ints({port.slice->axis})}));
    }

    void add_condition(BodyDraft& body, WriteContext& inside, const std::string& goes_on) {
        const auto index = op_.condition_result();
        std::string condition = goes_on;
        if (index) {
            condition = as_scalar(inside, body.result(*index), body.source_of(*index).shape());
        }
        body.add_output(condition, ElementType::boolean, PartialShape(Shape{}));
    }

    WriteContext& context_;
    const ops::IteratedOp& op_;
    Rounds rounds_;
    Names firsts_;
    std::string iteration_;
};

}  // namespace

Names write_loop(WriteContext& context) { return LoopWriter(context).write(); }

Names write_tensor_iterator(WriteContext& context) {
    const Rounds rounds(context.op<ops::IteratedOp>());
    return is_scan(rounds) ? write_scan(context, rounds) : LoopWriter(context).write();
}

}  // namespace rondo::onnx
