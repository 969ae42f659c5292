// Writes If, whose branches read what they need by name; Loop; and TensorIterator as Scan or, where
// its parts are larger, as Loop.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/control/if.hpp"
#include "core/ops/control/iterated_op.hpp"
#include "core/ops/control/loop.hpp"
#include "frontend/onnx/writer/ops/control/body_draft.hpp"
#include "frontend/onnx/writer/ops/control/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The ports of an iterated op by what they do. Throws UnsupportedError for a part that goes round.
struct Rounds {
    explicit Rounds(const ops::IteratedOp& op);

    std::vector<ops::BodyInput> carried{};
    std::vector<ops::BodyInput> sliced{};
    std::vector<ops::BodyInput> whole{};
    std::vector<ops::BodyOutput> joined{};  ///< results of all iterations, also if the last counts
};

// Index of the carried value that is that result, or the number of carried values.
std::size_t carried_place(const Rounds& rounds, std::size_t result) {
    std::size_t place = 0;
    while (place < rounds.carried.size() && rounds.carried[place].back_edge != result) ++place;
    return place;
}

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

// The part of a result that an iteration adds to a joined output: without the axis of parts where
// it has one element there.
std::string stacked_part(BodyDraft& body, const ops::BodyOutput& port) {
    const std::string value = body.result(port.result);
    if (!port.concat || port.concat->part_size != 1) return value;
    Tensor axis(ElementType::i64, {1});
    *axis.data<std::int64_t>() = port.concat->axis;
    return body.draft().emit("Squeeze", {value, body.draft().constant(axis)});
}

// The last of the stacked parts.
std::string last_of_rounds(WriteContext& context, const std::string& stacked) {
    return context.emit("Gather", {stacked, context.scalar(-1)}).with_int("axis", 0);
}

// The outputs of the op from those of a node that has the carried values first and then stacked
// parts, one axis more each in front.
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

void write_branch(WriteContext& context, std::size_t branch, const Names& inputs, NewNode& node) {
    const auto& op = context.op<ops::If>();
    const Graph& graph = *op.bodies()[branch];
    const bool is_then = branch == ops::If::kThen;
    const std::string name = context.node().name() + (is_then ? "/then" : "/else");
    BodyDraft body(context, graph, node.add_graph(is_then ? "then_branch" : "else_branch", name));
    for (const auto& port : op.ports(branch).inputs) {
        body.set_parameter(port.parameter, inputs[port.input]);
    }
    body.write_nodes();
    std::vector<std::size_t> results(op.output_count());
    for (const auto& port : op.ports(branch).outputs) results[port.output] = port.result;
    for (const std::size_t result : results) body.add_result(result);
}

}  // namespace

Names write_if(WriteContext& context) {
    const Names inputs = context.inputs();
    NewNode node = context.emit("If", {inputs[0]}, context.node().output_count());
    write_branch(context, ops::If::kThen, inputs, node);
    write_branch(context, ops::If::kElse, inputs, node);
    return node.outputs();
}

namespace {

using ops::PartRange;

bool is_scannable(const PartRange& range) {
    if (range.part_size != 1) return false;
    const auto first = range.is_reversed() ? range.end : range.start;
    const auto last = range.is_reversed() ? range.start : range.end;
    return first == 0 && last == -1;
}

class ScanWriter {
public:
    ScanWriter(WriteContext& context, const Rounds& rounds)
        : context_(context), op_(context.op<ops::IteratedOp>()), rounds_(rounds) {}

    Names write() {
        const Names outer = context_.inputs();
        Names inputs;
        for (const auto& port : rounds_.carried) inputs.push_back(outer[port.input]);
        for (const auto& port : rounds_.sliced) inputs.push_back(outer[port.input]);
        NewNode node =
            context_.emit("Scan", inputs, rounds_.carried.size() + rounds_.joined.size());
        add_attributes(node);
        write_body(outer, node);
        return outputs(node);
    }

private:
    void add_attributes(NewNode& node) const {
        Ints axes;
        Ints directions;
        for (const auto& port : rounds_.sliced) {
            axes.push_back(port.slice->axis);
            directions.push_back(port.slice->is_reversed() ? 1 : 0);
        }
        Ints output_axes;
        Ints output_directions;
        for (const auto& port : rounds_.joined) {
            output_axes.push_back(port.concat ? port.concat->axis : 0);
            output_directions.push_back(port.concat && port.concat->is_reversed() ? 1 : 0);
        }
        node.with_int("num_scan_inputs", static_cast<std::int64_t>(axes.size()))
            .with_ints("scan_input_axes", axes)
            .with_ints("scan_input_directions", directions);
        if (output_axes.empty()) return;
        node.with_ints("scan_output_axes", output_axes)
            .with_ints("scan_output_directions", output_directions);
    }

    void write_body(const Names& outer, NewNode& node) {
        BodyDraft body(context_, op_.body(),
                       node.add_graph("body", context_.node().name() + "/body"));
        for (const auto& port : rounds_.carried) body.add_parameter(port.parameter);
        for (const auto& port : rounds_.sliced) add_part(body, port);
        for (const auto& port : rounds_.whole)
            body.set_parameter(port.parameter, outer[port.input]);
        body.write_nodes();
        for (const auto& port : rounds_.carried) body.add_result(*port.back_edge);
        for (const auto& port : rounds_.joined) {
            body.add_output(stacked_part(body, port), body.source_of(port.result).element_type(),
                            PartialShape());
        }
    }

    // A part has no axis of parts in ONNX.
    void add_part(BodyDraft& body, const ops::BodyInput& port) {
        const Output value = body.parameter(port.parameter);
        PartialShape shape;
        if (value.shape().has_rank()) {
            std::vector<Dimension> extents = value.shape().dimensions();
            extents.erase(extents.begin() + port.slice->axis);
            shape = PartialShape(std::move(extents));
        }
        WriteContext inside(context_.node(), body.draft());
        const std::string part = body.add_input(value.node().name(), value.element_type(), shape);
        body.set_parameter(port.parameter, inside.unsqueeze(part, {port.slice->axis}));
    }

    Names outputs(const NewNode& node) {
        Names outputs(context_.node().output_count());
        for (const auto& port : op_.body_ports().outputs) {
            const std::size_t place = carried_place(rounds_, port.result);
            const bool is_carried = !port.concat && place < rounds_.carried.size();
            if (is_carried) outputs[port.output] = node.output(place);
        }
        for (std::size_t i = 0; i < rounds_.joined.size(); ++i) {
            const auto& port = rounds_.joined[i];
            const std::string stacked = node.output(rounds_.carried.size() + i);
            outputs[port.output] = port.concat ? stacked : last_of_rounds(context_, stacked);
        }
        return outputs;
    }

    WriteContext& context_;
    const ops::IteratedOp& op_;
    const Rounds& rounds_;
};

// Whether a Scan has the parts: single elements of whole axes, in either direction.
bool is_scan(const Rounds& rounds) {
    return std::all_of(rounds.sliced.begin(), rounds.sliced.end(),
                       [](const auto& port) { return is_scannable(*port.slice); }) &&
           std::all_of(rounds.joined.begin(), rounds.joined.end(), [](const auto& port) {
               return !port.concat || port.concat->part_size == 1;
           });
}

Names write_scan(WriteContext& context, const Rounds& rounds) {
    return ScanWriter(context, rounds).write();
}

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
