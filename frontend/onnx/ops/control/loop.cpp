// Converts Loop.
#include "core/ops/control/loop.hpp"

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/constant.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "frontend/onnx/ops/control/rows.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kNumber = 0;     // of the iteration
constexpr std::size_t kCondition = 1;  // and of the body's inputs
constexpr std::size_t kFirstValue = 2;

// ONNX runs nothing for a negative count, for which Loop-5 sets no bound.
Output trip_count(NodeContext& context) {
    const Output count = context.optional_input(0);
    if (!count) return make_int_scalar(context, "no_limit", -1);
    if (const auto known = NodeContext::known_ints(count); known && known->size() == 1) {
        return known->front() < 0 ? make_int_scalar(context, "limit", 0) : count;
    }
    if (count.element_type() != ElementType::i64) return count;  // Loop says what it takes
    return context.make<ops::Binary>("limit", ops::BinaryFunction::maximum, count,
                                     make_int_scalar(context, "least", 0));
}

Output start_condition(NodeContext& context) {
    if (const Output condition = context.optional_input(1)) return condition;
    Tensor yes(ElementType::boolean, {});
    *yes.data<bool>() = true;
    return context.make<ops::Constant>("start", yes);
}

BodyValue value_of(const Output& value) { return {value.element_type(), value.shape(), {}}; }

// A value that goes round: a tensor, a list of tensors, or one that may grow.
BodyValue round_value(const Output& value, std::optional<std::int64_t> joined_axis) {
    if (is_tensor(value)) return value_of(value);
    BodyValue result;
    result.list = std::make_shared<LoopList>(LoopList{value});
    result.list->axis = joined_axis;
    if (const auto* joined = as_op<Joined>(value.node())) result.list->axis = joined->axis();
    result.form = BodyValue::Form::growing;
    if (as_op<Sequence>(value.node()) && value.node().input_count() > 0) {
        result.form = BodyValue::Form::sequence;
        for (const Output& tensor : value.node().inputs()) {
            result.tensors.push_back(value_of(tensor));
        }
    }
    return result;
}

// A part of `size` in each iteration, along the first axis; the last iteration may come first.
ops::PartRange parts_of_size(std::size_t size, bool is_reversed) {
    const auto count = static_cast<std::int64_t>(size);
    return is_reversed ? ops::PartRange{0, -1, -count, count, 0}
                       : ops::PartRange{0, 0, count, count, -1};
}

// The ports of the values that go round, and what the node gives for each of the body's outputs.
class LoopBuilder {
public:
    LoopBuilder(NodeContext& context, std::vector<Output> values, std::vector<Output> inputs)
        : context_(context), values_(std::move(values)), inputs_(std::move(inputs)) {}

    std::vector<Output> make(BodyGraph& body) {
        ports_.inputs.push_back({1, kCondition, {}, 0});
        // Exporters write a condition of shape [] here and [1] there, where the body doesn't read
        // it.
        if (body.graph->parameters()[kCondition]->consumers(0).empty()) {
            ports_.inputs.front().back_edge.reset();
        }
        for (std::size_t i = 0; i < values_.size(); ++i) {
            add_value(values_[i], body.outputs[1 + i], *body.graph);
        }
        for (std::size_t i = 1; i < body.outputs.size(); ++i) {
            add_outputs(body.outputs[i], i > values_.size());
        }
        add_captured(body, inputs_, ports_);
        const auto loop = context_.make<ops::Loop>("", std::move(inputs_), body.graph,
                                                   std::move(ports_), ops::LoopPorts{kNumber, 0});
        return results(outputs_of(loop), body);
    }

private:
    void add_value(const Output& value, const BodyOutput& output, const Graph& body) {
        std::vector<Output> tensors{value};
        if (output.form == BodyOutput::Form::growing) {
            tensors.clear();
            if (output.added.last > 0) tensors = {value.node().inputs().back()};
        } else if (output.form != BodyOutput::Form::tensor) {
            tensors = start_of(value, output, body);
        }
        for (std::size_t k = 0; k < tensors.size(); ++k) {
            ports_.inputs.push_back({inputs_.size(), parameters_++, {}, output.first + k});
            inputs_.push_back(tensors[k]);
        }
    }

    // The tensors that a sequence is when the loop begins.
    std::vector<Output> start_of(const Output& value, const BodyOutput& output, const Graph& body) {
        if (output.form == BodyOutput::Form::sequence) return value.node().inputs();
        const bool is_joined = output.form == BodyOutput::Form::joined;
        const std::int64_t axis = is_joined ? *output.list->axis : 0;
        if (as_op<Joined>(value.node())) return value.node().inputs();
        if (as_op<Sequence>(value.node()) && value.node().input_count() == 0) {
            return {make_empty(context_, "start", body.parameters()[parameters_], axis)};
        }
        if (is_joined && as_op<Sequence>(value.node())) {
            return {join_parts(context_, "start", value.node().inputs(), axis)};
        }
        const Output rows = rows_of_list(context_, value);
        return {is_joined ? join_rows(context_, rows, axis, false) : rows};
    }

    void add_outputs(const BodyOutput& output, bool is_scanned) {
        const auto add = [&](std::size_t result, std::optional<ops::PartRange> concat) {
            ports_.outputs.push_back({ports_.outputs.size(), result, concat});
        };
        if (output.form != BodyOutput::Form::growing) {
            const auto range = is_scanned ? std::optional(ops::PartRange{}) : std::nullopt;
            for (std::size_t k = 0; k < output.count; ++k) add(output.first + k, range);
            return;
        }
        const AddedCounts& added = output.added;
        std::size_t result = output.first + added.last;
        if (added.front > 0) add(result++, parts_of_size(added.front, true));
        if (added.back > 0) add(result, parts_of_size(added.back, false));
    }

    std::vector<Output> results(const std::vector<Output>& outputs, const BodyGraph& body) {
        using Form = BodyOutput::Form;
        std::vector<Output> all;
        auto next = outputs.begin();
        for (std::size_t i = 1; i < body.outputs.size(); ++i) {
            const BodyOutput& output = body.outputs[i];
            if (output.form == Form::sequence) {
                const auto end = next + static_cast<std::ptrdiff_t>(output.count);
                all.emplace_back(context_.make<Sequence>("list", std::vector<Output>(next, end)));
                next = end;
            } else if (output.form == Form::growing) {
                const Output front = output.added.front > 0 ? *next++ : Output();
                const Output back = output.added.back > 0 ? *next++ : Output();
                all.push_back(grown(values_[i - 1], front, back));
            } else if (output.form == Form::rows) {
                all.push_back(make_node<Rows>(*next++));
            } else if (output.form == Form::joined) {
                all.push_back(outer_joined(values_[i - 1], *next++, *output.list->axis));
            } else {
                all.push_back(*next++);
            }
        }
        return all;
    }

    // The tensors that were there, between those that came, [n, ...] each.
    Output grown(const Output& before, const Output& front, const Output& back) {
        if (!front && !back) return before;
        const auto* joined = as_op<Joined>(before.node());
        std::vector<Output> parts;
        const auto add = [&](const Output& rows) {
            if (rows)
                parts.push_back(joined ? join_rows(context_, rows, joined->axis(), false) : rows);
        };
        add(front);
        if (joined != nullptr) parts.push_back(joined->input(0));
        if (!joined && before.node().input_count() > 0) add(rows_of_list(context_, before));
        add(back);
        const std::int64_t axis = joined ? joined->axis() : 0;
        const Output whole = join_parts(context_, "rows", parts, axis);
        if (joined != nullptr) return outer_joined(before, whole, axis);
        return make_node<Rows>(whole);
    }

    // Where the graph around is the body of a loop, too, the list may be that loop's.
    static Output outer_joined(const Output& before, const Output& whole, std::int64_t axis) {
        const auto* joined = as_op<Joined>(before.node());
        return make_node<Joined>(whole, axis, joined ? joined->list() : LoopListPtr());
    }

    NodeContext& context_;
    std::vector<Output> values_;
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::size_t parameters_ = kFirstValue;
};

// A sequence may go round.
Output value_input(NodeContext& context, std::size_t index) {
    const Output value = context.any_input(index);
    return as_op<EmptyOptional>(value.node()) ? context.input(index) : value;
}

// A list of a loop around this one grows by a number of tensors that the run decides: as rows.
void check_foreign_list(const Output& value, const BodyValue& inner) {
    const auto* outer = as_op<Growing>(value.node());
    if (outer == nullptr || !inner.list->has_added) return;
    note_added(*outer->list(), inner.list->type, inner.list->shape);
    throw ListIsRead{outer->list()};
}

}  // namespace

std::vector<Output> convert_loop(NodeContext& context) {
    std::vector<Output> inputs{trip_count(context), start_condition(context)};
    std::vector<Output> values;
    BodyRequest request;
    request.inputs = {{ElementType::i64, PartialShape(Shape{}), {}, true},
                      {ElementType::boolean, inputs[1].shape(), {}}};
    for (std::size_t i = kFirstValue; i < context.input_count(); ++i) {
        values.push_back(value_input(context, i));
        const auto axis = context.joined_axis(i - kFirstValue);
        request.inputs.push_back(round_value(values.back(), axis));
    }
    request.takes_sequences = true;
    request.stacks_added = true;
    request.extra_axis = [&](std::size_t output) -> std::optional<std::int64_t> {
        if (output <= values.size()) return {};
        return 0;
    };
    const std::vector<BodyValue> forms(request.inputs.begin() + kFirstValue, request.inputs.end());
    BodyGraph body = read_loop_body(context, std::move(request), kFirstValue, 1, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) check_foreign_list(values[i], forms[i]);
    if (body.outputs[0].form != BodyOutput::Form::tensor) {
        throw ModelError("output 0 of the body is a sequence; expected the condition");
    }
    for (std::size_t i = 1 + values.size(); i < body.outputs.size(); ++i) {
        if (body.outputs[i].form == BodyOutput::Form::tensor) continue;
        throw UnsupportedError("output " + std::to_string(i) +
                               " of the body is a sequence, which can't be scanned");
    }
    return LoopBuilder(context, std::move(values), std::move(inputs)).make(body);
}

}  // namespace rondo::onnx
