// Converts Loop.
#include "core/ops/control/control_ops.hpp"

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/joined.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kNumber = 0;     // of the iteration
constexpr std::size_t kCondition = 1;  // and of the body's inputs
constexpr std::size_t kFirstValue = 2;

// ONNX runs nothing for a negative count, for which Loop-5 sets no bound.
Output trip_count(NodeContext& context) {
    const Output count = context.optional_input(0);
    if (!count) return context.integer(-1);
    if (const auto known = NodeContext::known_ints(count); known && known->size() == 1) {
        return known->front() < 0 ? context.integer(0) : count;
    }
    if (count.element_type() != ElementType::i64) return count;  // Loop says what it takes
    return context.make<ops::Binary>("limit", ops::BinaryFunction::maximum, count,
                                     context.integer(0));
}

Output start_condition(NodeContext& context) {
    if (const Output condition = context.optional_input(1)) return condition;
    Tensor yes(ElementType::boolean, {});
    *yes.data<bool>() = true;
    return context.make<ops::Constant>("start", yes);
}

BodyValue value_of(const Output& value) { return {value.element_type(), value.shape()}; }

// A carried value: a tensor, a list of tensors, or a joined sequence, which an empty list is at
// once.
BodyValue carried_value(const Output& value, std::optional<std::int64_t> joined_axis) {
    const Sequence* sequence = find_sequence(value);
    if (sequence == nullptr) return value_of(value);
    BodyValue result;
    SequenceForm& form = result.form.emplace();
    if (sequence->is_joined()) {
        form = sequence->form();
        form.front = 0;
    } else if (joined_axis) {
        form.is_stack = false;
        form.axis = *joined_axis;
    }
    form.list = std::make_shared<LoopList>(LoopList{value});
    if (sequence->is_list() && sequence->input_count() > 0) {
        for (const Output& tensor : sequence->inputs()) result.tensors.push_back(value_of(tensor));
    } else {
        form.kind = SequenceForm::Kind::joined;
        result.tensors = {whole_of(form)};
    }
    return result;
}

// The ports of the carried values, and what the node gives for each of the body's outputs.
class LoopBuilder {
public:
    LoopBuilder(NodeContext& context, std::vector<Output> inputs, BodyGraph body)
        : context_(context),
          inputs_(std::move(inputs)),
          body_(std::move(body)),
          parameters_(body_.graph->parameters()),
          tensor_(body_.graph->results().begin()) {}

    std::vector<Output> make(const std::vector<Output>& starts,
                             const std::vector<BodyValue>& values) {
        const Output condition = parameters_[kCondition];
        own_ = {parameters_[kNumber], condition.node_ptr()};
        results_ = {*tensor_++};
        ports_.inputs.push_back({1, kCondition, {}, 0});
        // Exporters write a condition of shape [] here and [1] there, if the body doesn't read
        // it.
        if (condition.consumers().empty()) ports_.inputs.front().back_edge.reset();
        for (std::size_t i = 0; i < starts.size(); ++i) {
            add_value(starts[i], values[i], body_.outputs[1 + i]);
        }
        for (std::size_t i = 1 + starts.size(); i < body_.outputs.size(); ++i) {
            give(*tensor_++, ops::PartRange{});
        }
        set_ends(body_, std::move(own_), std::move(results_));
        add_captured(body_, inputs_, ports_);
        const auto loop = context_.make<ops::Loop>("", std::move(inputs_), body_.graph,
                                                   std::move(ports_), ops::LoopPorts{kNumber, 0});
        const std::vector<Output> outputs = outputs_of(loop);
        auto next = outputs.begin();
        std::vector<Output> all;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            all.push_back(value_after(starts[i], values[i], body_.outputs[1 + i], next));
        }
        all.insert(all.end(), next, outputs.end());
        return all;
    }

private:
    // A tensor that the body gets, and what it gives for the next iteration.
    void carry(const Output& start, NodePtr parameter, NodePtr result) {
        ports_.inputs.push_back({inputs_.size(), own_.size(), {}, results_.size()});
        inputs_.push_back(start);
        own_.push_back(std::move(parameter));
        results_.push_back(std::move(result));
    }

    void give(NodePtr result, std::optional<ops::PartRange> range) {
        ports_.outputs.push_back({ports_.outputs.size(), results_.size(), range});
        results_.push_back(std::move(result));
    }

    void carry_and_give(const Output& start, NodePtr result) {
        ports_.outputs.push_back({ports_.outputs.size(), results_.size(), {}});
        carry(start, next_parameter(), std::move(result));
    }

    NodePtr next_parameter() { return parameters_[parameter_++]; }
    NodePtr result_of(const Output& value) {
        return context_.make<ops::Result>("list/result", value);
    }

    void add_value(const Output& start, const BodyValue& value, const BodyOutput& output) {
        if (!value.form) return carry_and_give(start, *tensor_++);
        const Sequence& before = *find_sequence(start);
        const Sequence& after = *find_sequence(output.value);
        if (value.form->kind == SequenceForm::Kind::list) {
            for (std::size_t k = 0; k < after.input_count(); ++k) {
                carry_and_give(before.input(k), result_of(after.input(k)));
            }
            return;
        }
        if (output.whole) {
            const Output first =
                is_empty(before) ? make_empty(context_, parameters_[parameter_], value.form->axis)
                                 : joined(context_, before, *value.form);
            return carry_and_give(first, result_of(output.whole));
        }
        ++parameter_;  // the body doesn't read it
        if (output.last) {
            const Output next = after.back().empty() ? output.last : after.back().back();
            carry(before.inputs().back(), output.last.node_ptr(), result_of(next));
        }
        give_added(after.front(), *value.form, true);
        give_added(after.back(), *value.form, false);
    }

    // What the iterations add, joined; in front the last iteration comes first.
    void give_added(std::span<const Output> added, const SequenceForm& form, bool is_front) {
        if (added.empty()) return;
        const std::int64_t size = *joined_extent(added, form);
        const Output part = joined(context_, added, form);
        const std::int64_t axis =
            form.axis < 0 ? form.axis + static_cast<std::int64_t>(part.shape().rank()) : form.axis;
        give(result_of(part), is_front ? ops::PartRange{axis, -1, -size, size, 0}
                                       : ops::PartRange{axis, 0, size, size, -1});
    }

    static bool is_empty(const Sequence& sequence) {
        return sequence.is_list() && sequence.input_count() == 0;
    }

    using Outputs = std::vector<Output>::const_iterator;

    Output value_after(const Output& start, const BodyValue& value, const BodyOutput& output,
                       Outputs& next) {
        if (!value.form) return *next++;
        const Sequence& after = *find_sequence(output.value);
        if (value.form->kind == SequenceForm::Kind::list) {
            const auto first = next;
            next += static_cast<std::ptrdiff_t>(after.input_count());
            return make_node<Sequence>(std::vector<Output>(first, next));
        }
        const Sequence& before = *find_sequence(start);
        // If the graph around is the body of a loop, too, the sequence may be that loop's.
        SequenceForm form = *value.form;
        form.list = before.form().list;
        const LoopList& list = *value.form->list;
        if (list.has_added) note_added(before.form(), list.type, list.shape);
        if (output.whole) return make_joined(*next++, form);
        std::vector<Output> parts;
        if (!after.front().empty()) parts.push_back(*next++);
        if (!is_empty(before)) parts.push_back(joined(context_, before, form));
        if (!after.back().empty()) parts.push_back(*next++);
        if (after.front().empty() && after.back().empty()) return start;
        return make_joined(join_parts(context_, parts, form.axis), form);
    }

    NodeContext& context_;
    std::vector<Output> inputs_;
    BodyGraph body_;
    std::vector<NodePtr> parameters_;  // as the body was read
    std::size_t parameter_ = kFirstValue;
    std::vector<NodePtr>::const_iterator tensor_;  // among the results of the outputs that are one
    std::vector<NodePtr> own_;                     // parameters that the body keeps
    std::vector<NodePtr> results_;
    ops::BodyPorts ports_;
};

// A sequence may be carried.
Output value_input(NodeContext& context, std::size_t index) {
    const Output value = context.any_input(index);
    const Sequence* sequence = find_sequence(value);
    return sequence && !sequence->is_nothing() ? value : context.input(index);
}

}  // namespace

std::vector<Output> convert_loop(NodeContext& context) {
    std::vector<Output> inputs{trip_count(context), start_condition(context)};
    std::vector<Output> starts;
    BodyRequest request;
    request.inputs = {{ElementType::i64, PartialShape(Shape{}), {}, true},
                      {ElementType::boolean, inputs[1].shape()}};
    for (std::size_t i = kFirstValue; i < context.input_count(); ++i) {
        starts.push_back(value_input(context, i));
        request.inputs.push_back(
            carried_value(starts.back(), context.joined_axis(i - kFirstValue)));
    }
    request.takes_sequences = true;
    request.extra_axis = [&](std::size_t output) -> std::optional<std::int64_t> {
        if (output <= starts.size()) return {};
        return 0;
    };
    BodyGraph body = read_loop_body(context, request, kFirstValue, 1, starts.size());
    if (find_sequence(body.outputs[0].value)) {
        throw ModelError("output 0 of the body is a sequence; expected the condition");
    }
    for (std::size_t i = 1 + starts.size(); i < body.outputs.size(); ++i) {
        if (!find_sequence(body.outputs[i].value)) continue;
        throw UnsupportedError("output " + std::to_string(i) +
                               " of the body is a sequence, which can't be scanned");
    }
    request.inputs.erase(request.inputs.begin(), request.inputs.begin() + kFirstValue);
    return LoopBuilder(context, std::move(inputs), std::move(body)).make(starts, request.inputs);
}

}  // namespace rondo::onnx
