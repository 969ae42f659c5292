// Converts Loop.
#include "core/ops/control/loop.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/source/constant.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
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
BodyValue round_value(const Output& value, std::size_t slot) {
    if (is_tensor(value)) return value_of(value);
    BodyValue result;
    result.slot = slot;
    result.form = BodyValue::Form::growing;
    if (as_op<Sequence>(value.node()) && value.node().input_count() > 0) {
        result.form = BodyValue::Form::sequence;
        for (const Output& tensor : value.node().inputs()) {
            result.tensors.push_back(value_of(tensor));
        }
    }
    return result;
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
        for (std::size_t i = 0; i < values_.size(); ++i) add_value(values_[i], body.outputs[1 + i]);
        for (std::size_t i = 1; i < body.outputs.size(); ++i) {
            const bool is_joined =
                i > values_.size() || body.outputs[i].form == BodyOutput::Form::growing;
            for (std::size_t k = 0; k < body.outputs[i].count; ++k) {
                ports_.outputs.push_back({ports_.outputs.size(), body.outputs[i].first + k, {}});
                if (is_joined) ports_.outputs.back().concat = ops::PartRange{};
            }
        }
        add_captured(body, inputs_, ports_);
        const auto loop = context_.make<ops::Loop>("", std::move(inputs_), body.graph,
                                                   std::move(ports_), ops::LoopPorts{kNumber, 0});
        return results(outputs_of(loop), body);
    }

private:
    void add_value(const Output& value, const BodyOutput& output) {
        if (output.form == BodyOutput::Form::growing) return;
        const auto tensors = is_tensor(value) ? std::vector<Output>{value} : value.node().inputs();
        for (std::size_t k = 0; k < tensors.size(); ++k) {
            ports_.inputs.push_back({inputs_.size(), parameters_++, {}, output.first + k});
            inputs_.push_back(tensors[k]);
        }
    }

    std::vector<Output> results(const std::vector<Output>& outputs, const BodyGraph& body) {
        std::vector<Output> all;
        auto next = outputs.begin();
        for (std::size_t i = 1; i < body.outputs.size(); ++i) {
            const BodyOutput& output = body.outputs[i];
            const auto end = next + static_cast<std::ptrdiff_t>(output.count);
            if (output.form == BodyOutput::Form::sequence) {
                all.emplace_back(context_.make<Sequence>("list", std::vector<Output>(next, end)));
            } else if (output.form == BodyOutput::Form::growing) {
                all.push_back(output.count == 0 ? values_[i - 1] : grown(values_[i - 1], *next));
            } else {
                all.push_back(*next);
            }
            next = end;
        }
        return all;
    }

    // The tensors that were there, and those that came, [n, ...].
    Output grown(const Output& before, const Output& rows) {
        std::vector<Output> parts;
        if (as_op<Rows>(before.node())) {
            parts.push_back(before.node().input(0));
        } else {
            for (const Output& tensor : before.node().inputs()) {
                parts.push_back(context_.make<ops::Unsqueeze>(
                    "row", tensor, make_ints(context_, "row/axis", {0})));
            }
        }
        parts.push_back(rows);
        return make_node<Rows>(parts.size() == 1 ? rows : make_concat(context_, "rows", parts, 0));
    }

    NodeContext& context_;
    std::vector<Output> values_;
    std::vector<Output> inputs_;
    ops::BodyPorts ports_;
    std::size_t parameters_ = kFirstValue;
};

// A sequence that goes round.
Output value_input(NodeContext& context, std::size_t index) {
    const Output value = context.any_input(index);
    const bool is_sequence = as_op<Sequence>(value.node()) || as_op<Rows>(value.node());
    return is_sequence ? value : context.input(index);
}

std::vector<Output> convert_loop(NodeContext& context) {
    std::vector<Output> inputs{trip_count(context), start_condition(context)};
    std::vector<Output> values;
    BodyRequest request;
    request.inputs = {{ElementType::i64, PartialShape(Shape{}), {}, true},
                      {ElementType::boolean, inputs[1].shape(), {}}};
    for (std::size_t i = kFirstValue; i < context.input_count(); ++i) {
        values.push_back(value_input(context, i));
        request.inputs.push_back(round_value(values.back(), i - kFirstValue));
    }
    request.takes_sequences = true;
    request.extra_axis = [&](std::size_t output) -> std::optional<std::int64_t> {
        if (output <= values.size()) return {};
        return 0;
    };
    BodyGraph body = read_loop_body(context, std::move(request), kFirstValue, 1, values.size());
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

constexpr OpEntry kEntries[] = {
    {"", "Loop", 1, convert_loop},
};

}  // namespace

std::span<const OpEntry> loop_converters() { return kEntries; }

}  // namespace rondo::onnx
