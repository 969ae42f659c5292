// If, whose branches read what they need by name; Loop; and TensorIterator as Scan or, if its
// parts are larger, as Loop.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The body of a node that is being written: parameters are named first, then write_nodes() is
// called, and then results are added. A value of the graph around is read by its name.
class BodyDraft {
public:
    BodyDraft(WriteContext& context, const Graph& body, rondo_onnx::GraphProto& message)
        : file_(context.draft().file()), body_(body), draft_(file_, message) {}

    GraphDraft& draft() { return draft_; }
    Output parameter(std::size_t index) const { return body_.parameters()[index]->output(0); }
    void set_parameter(std::size_t index, const std::string& name) {
        draft_.set_name(parameter(index), name);
    }
    // An input of the parameter's type and shape.
    void add_parameter(std::size_t index) {
        const Output value = parameter(index);
        set_parameter(index,
                      draft_.add_input(value.node().name(), value.element_type(), value.shape()));
    }

    void write_nodes() { file_.write_nodes(body_, draft_); }
    std::string result(std::size_t index) { return draft_.name_of(source_of(index)); }
    const Output& source_of(std::size_t result) const { return body_.results()[result]->input(0); }

    // An output of the body, of that type and shape: the value itself if a node of the body
    // makes it, once.
    void add_output(const std::string& value, ElementType type, const PartialShape& shape) {
        const bool is_own = draft_.makes(value) && outputs_.insert(value).second;
        draft_.add_output(is_own ? value : draft_.emit("Identity", {value}), type, shape);
    }
    void add_result(std::size_t index) {
        const Output& source = source_of(index);
        add_output(result(index), source.element_type(), source.shape());
    }

private:
    FileDraft& file_;
    const Graph& body_;
    GraphDraft draft_;
    std::set<std::string> outputs_;
};

void write_branch(WriteContext& context, std::size_t branch, const Names& inputs, NewNode& node) {
    const auto& op = context.op<ops::If>();
    const bool is_then = branch == ops::If::kThen;
    const std::string name = op.name() + (is_then ? "/then" : "/else");
    BodyDraft body(context, *op.bodies()[branch],
                   node.add_graph(is_then ? "then_branch" : "else_branch", name));
    for (const auto& port : op.ports(branch).inputs) {
        body.set_parameter(port.parameter, inputs[port.input]);
    }
    body.write_nodes();
    std::vector<std::size_t> results(op.output_count());
    for (const auto& port : op.ports(branch).outputs) results[port.output] = port.result;
    for (const std::size_t result : results) body.add_result(result);
}

using ops::PartRange;

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

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

// Stacked parts of one element [n, ..] become [.., n, ..]; larger ones [n, .., p, ..] become
// [.., n p, ..].
std::string joined_parts(WriteContext& context, const ops::BodyOutput& port, std::string stacked) {
    const PartRange& range = *port.concat;
    const PartialShape& shape = context.node().output_shape(port.output);
    if (!shape.has_rank()) throw UnsupportedError("the rank of a joined output isn't known");
    if (range.is_reversed()) {
        stacked = context.emit("Slice", {stacked, context.ints({-1}),
                                         context.ints({std::numeric_limits<std::int64_t>::min()}),
                                         context.ints({0}), context.ints({-1})});
    }
    const auto axis = static_cast<std::size_t>(range.axis);
    const std::size_t rank = shape.rank() + (range.part_size == 1 ? 0 : 1);
    Ints order = counted_ints(rank);
    std::rotate(order.begin(), order.begin() + 1, order.begin() + range.axis + 1);
    const std::string moved = context.transpose(stacked, order);
    if (range.part_size == 1) return moved;
    const std::string extents = context.shape_of(moved);
    const Ints behind = counted_ints(rank, axis + 2);
    Names pattern;
    if (axis > 0) pattern.push_back(context.elements(extents, counted_ints(axis)));
    pattern.push_back(context.emit("Mul", {context.elements(extents, {range.axis}),
                                           context.elements(extents, {range.axis + 1})}));
    if (!behind.empty()) pattern.push_back(context.elements(extents, behind));
    return context.reshape_to(moved, pattern);
}

// Writes what runs its body again and again.
class IterationWriter {
public:
    explicit IterationWriter(WriteContext& context);

    Names write() {
        const Names outer = context_.inputs();
        Names inputs;
        if (!scans_) {
            const std::string goes = goes_first(outer);
            inputs = {trip_count(), goes};
        }
        for (const auto& port : carried_) inputs.push_back(outer[port.input]);
        for (const auto& port : sliced_) {
            if (scans_) {
                inputs.push_back(outer[port.input]);
            } else {
                firsts_.push_back(first_element(context_, port));
            }
        }
        NewNode node =
            context_.emit(scans_ ? "Scan" : "Loop", inputs, carried_.size() + joined_.size());
        if (scans_) add_attributes(node);
        write_body(outer, node);
        return outputs(node);
    }

private:
    bool is_loop() const { return as_op<ops::Loop>(op_) != nullptr; }

    // Index of the carried value that is that result, or the number of carried values.
    std::size_t carried_place(std::size_t result) const {
        const auto found = std::find_if(carried_.begin(), carried_.end(),
                                        [&](const auto& port) { return port.back_edge == result; });
        return static_cast<std::size_t>(found - carried_.begin());
    }

    // How often the body runs at the most; "" for a number without a bound.
    std::string trip_count() {
        if (!is_loop()) return part_count(context_, sliced_.front());
        if (const auto known = context_.find_ints(0)) {
            return known->at(0) < 0 ? "" : context_.scalar(known->at(0));
        }
        const std::string count = context_.scalar_input(0, ElementType::i64);
        const std::string endless = context_.emit("Less", {count, context_.scalar(0)});
        return context_.emit("Where", {endless, context_.scalar(kEndless), count});
    }

    std::string goes_first(const Names& outer) {
        return is_loop() ? context_.as_scalar(outer[1], context_.shape(1))
                         : context_.number(ElementType::boolean, 1);
    }

    void add_attributes(NewNode& node) const {
        Ints axes;
        Ints directions;
        Ints output_axes;
        Ints output_directions;
        const auto add = [](const auto& range, Ints& places, Ints& ways) {
            places.push_back(range ? range->axis : 0);
            ways.push_back(range && range->is_reversed() ? 1 : 0);
        };
        for (const auto& port : sliced_) add(port.slice, axes, directions);
        for (const auto& port : joined_) add(port.concat, output_axes, output_directions);
        node.with("num_scan_inputs", static_cast<std::int64_t>(axes.size()))
            .with("scan_input_axes", axes)
            .with("scan_input_directions", directions);
        if (output_axes.empty()) return;
        node.with("scan_output_axes", output_axes)
            .with("scan_output_directions", output_directions);
    }

    void write_body(const Names& outer, NewNode& node) {
        BodyDraft body(context_, op_.body(), node.add_graph("body", op_.name() + "/body"));
        // Nodes of the body: what the context makes for the op stays around it.
        WriteContext inside(context_.node(), body.draft());
        const PartialShape one(Shape{});
        std::string goes_on;
        if (!scans_) {
            iteration_ = body.draft().add_input("iteration", ElementType::i64, one);
            goes_on = body.draft().add_input("goes_on", ElementType::boolean, one);
        }
        for (const auto& port : carried_) body.add_parameter(port.parameter);
        for (const auto& port : whole_) body.set_parameter(port.parameter, outer[port.input]);
        add_iteration(body, inside);
        for (std::size_t i = 0; i < sliced_.size(); ++i) {
            const auto& port = sliced_[i];
            body.set_parameter(port.parameter, scans_ ? scanned_part(body, inside, port)
                                                      : sliced_part(inside, i, outer[port.input]));
        }
        body.write_nodes();
        if (const auto index = op_.condition_result()) {
            goes_on = inside.as_scalar(body.result(*index), body.source_of(*index).shape());
        }
        if (!scans_) body.add_output(goes_on, ElementType::boolean, one);
        for (const auto& port : carried_) body.add_result(*port.back_edge);
        for (const auto& port : joined_) {
            body.add_output(stacked_part(body, inside, port),
                            body.source_of(port.result).element_type(), PartialShape());
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

    // A part has no axis of parts in a Scan.
    std::string scanned_part(BodyDraft& body, WriteContext& inside, const ops::BodyInput& port) {
        const Output value = body.parameter(port.parameter);
        PartialShape shape;
        if (value.shape().has_rank()) {
            std::vector<Dimension> extents = value.shape().dimensions();
            extents.erase(extents.begin() + port.slice->axis);
            shape = PartialShape(std::move(extents));
        }
        const std::string part =
            body.draft().add_input(value.node().name(), value.element_type(), shape);
        return inside.unsqueeze(part, {port.slice->axis});
    }

    // Elements first + iteration * stride and, of larger parts, the ones after it.
    std::string sliced_part(WriteContext& inside, std::size_t i, const std::string& whole) {
        const PartRange& range = *sliced_[i].slice;
        const std::string walked = inside.emit("Mul", {iteration_, inside.ints({range.stride})});
        const std::string begin = inside.emit("Add", {walked, firsts_[i]});
        const std::string end = inside.emit("Add", {begin, inside.ints({range.part_size})});
        return inside.emit("Slice", {whole, begin, end, inside.ints({range.axis})});
    }

    // The part of a result that an iteration adds to a joined output: without the axis of parts
    // if it has one element there.
    std::string stacked_part(BodyDraft& body, WriteContext& inside, const ops::BodyOutput& port) {
        const std::string value = body.result(port.result);
        const bool is_single = port.concat && port.concat->part_size == 1;
        return is_single ? inside.squeeze(value, {port.concat->axis}) : value;
    }

    // The node has the carried values first and then stacked parts, which a Scan has joined and a
    // Loop stacks along an axis more in front.
    Names outputs(const NewNode& node) {
        Names outputs(op_.output_count());
        for (const auto& port : op_.body_ports().outputs) {
            const std::size_t place = carried_place(port.result);
            if (!port.concat && place < carried_.size()) outputs[port.output] = node.output(place);
        }
        for (std::size_t i = 0; i < joined_.size(); ++i) {
            const auto& port = joined_[i];
            const std::string stacked = node.output(carried_.size() + i);
            outputs[port.output] = !port.concat ? context_.gather(stacked, context_.scalar(-1))
                                   : scans_     ? stacked
                                                : joined_parts(context_, port, stacked);
        }
        return outputs;
    }

    WriteContext& context_;
    const ops::IteratedOp& op_;
    std::vector<ops::BodyInput> carried_;
    std::vector<ops::BodyInput> sliced_;
    std::vector<ops::BodyInput> whole_;
    std::vector<ops::BodyOutput> joined_;  // results of all iterations, also if the last counts
    bool scans_ = false;                   // single elements of whole axes, in either direction
    Names firsts_;
    std::string iteration_;
};

IterationWriter::IterationWriter(WriteContext& context)
    : context_(context), op_(context.op<ops::IteratedOp>()) {
    for (const auto& port : op_.body_ports().inputs) {
        if (port.slice && port.back_edge) {
            throw UnsupportedError("a part of an input goes round, which ONNX's loops can't");
        }
        (port.slice ? sliced_ : port.back_edge ? carried_ : whole_).push_back(port);
    }
    for (const auto& port : op_.body_ports().outputs) {
        if (port.concat || carried_place(port.result) == carried_.size()) joined_.push_back(port);
    }
    scans_ = !is_loop() && std::all_of(sliced_.begin(), sliced_.end(), [](const auto& port) {
        const PartRange& range = *port.slice;
        const bool down = range.is_reversed();
        return range.part_size == 1 && (down ? range.end : range.start) == 0 &&
               (down ? range.start : range.end) == -1;
    }) && std::all_of(joined_.begin(), joined_.end(), [](const auto& port) {
        return !port.concat || port.concat->part_size == 1;
    });
}

}  // namespace

Names write_if(WriteContext& context) {
    const Names inputs = context.inputs();
    NewNode node = context.emit("If", {inputs[0]}, context.node().output_count());
    write_branch(context, ops::If::kThen, inputs, node);
    write_branch(context, ops::If::kElse, inputs, node);
    return node;
}

Names write_iterated(WriteContext& context) { return IterationWriter(context).write(); }

}  // namespace rondo::onnx
