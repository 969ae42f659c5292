// How rows pass through If, Loop and TensorIterator: through their bodies.

#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "transformations/batching/row_rules.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxRounds = 8;

bool agree(const RowValue& a, const RowValue& b) {
    if (a.has_rows != b.has_rows) return false;
    return !a.has_rows || (a.axis == b.axis && a.extent == b.extent);
}

void check_is_shared(const RowStep& step, const RowValue& value, const std::string& what) {
    if (value.has_rows) step.fail(what + " depends on the rows");
    if (value.counts_streams()) step.fail(what + " depends on the number of streams");
}

RowValue without_elements(const RowStep& step, RowValue value) {
    if (value.counts_streams()) step.fail("it computes with the number of streams");
    value.elements.reset();
    return value;
}

RowValues rows_of_if(const RowStep& step, const ops::If& node) {
    check_is_shared(step, step.inputs[0], "its condition");
    RowValues outputs(node.output_count());
    for (const std::size_t branch : {ops::If::kThen, ops::If::kElse}) {
        const ops::BodyPorts& ports = node.ports(branch);
        const Graph& body = *node.bodies()[branch];
        RowValues parameters(body.parameters().size());
        for (const auto& port : ports.inputs) parameters[port.parameter] = step.inputs[port.input];
        const RowValues results = step.walk_body(body, parameters);
        for (const auto& port : ports.outputs) {
            RowValue result = without_elements(step, results[port.result]);
            RowValue& output = outputs[port.output];
            if (branch == ops::If::kElse && !agree(output, result)) {
                RowObstacle obstacle{&node,
                                     "its branches don't give output " +
                                         std::to_string(port.output) + " the same rows",
                                     result.choices};
                obstacle.choices.insert(output.choices.begin(), output.choices.end());
                throw obstacle;
            }
            result.choices.insert(output.choices.begin(), output.choices.end());
            output = std::move(result);
        }
    }
    return outputs;
}

std::size_t axis_of(const ops::PartRange& range, const PartialShape& shape, const RowStep& step) {
    const auto axes = shape.has_rank() ? normalized_axes({range.axis}, shape.rank()) : std::nullopt;
    if (!axes) step.fail("the number of its axes isn't known");
    return axes->front();
}

// A loop whose carried values may turn out to have rows after the first round.
class LoopWalk {
public:
    LoopWalk(const RowStep& step, const ops::IteratedOp& node) : step_(step), node_(node) {}

    RowValues run() {
        const bool is_loop = as_op<ops::Loop>(node_) != nullptr;
        for (std::size_t i = 0; is_loop && i < 2; ++i) {
            check_is_shared(step_, step_.inputs[i], "how often it runs");
        }
        RowValues parameters = first_parameters();
        for (int round = 0; round < kMaxRounds; ++round) {
            const std::size_t edits = step_.edits != nullptr ? step_.edits->size() : 0;
            const RowValues results = step_.walk_body(node_.body(), parameters);
            const auto gains = ports_that_gain_rows(parameters, results);
            if (gains.empty()) return outputs(results);
            if (step_.edits != nullptr) step_.edits->resize(edits);
            for (const ops::BodyInput* port : gains) {
                give_rows(*port, results[*port->back_edge], parameters[port->parameter]);
            }
        }
        step_.fail("the values that go round never settle");
    }

private:
    RowValues first_parameters() const {
        RowValues parameters(node_.body().parameters().size());
        for (const auto& port : node_.body_ports().inputs) {
            RowValue value = step_.inputs[port.input];
            if (port.slice || port.back_edge) value = without_elements(step_, std::move(value));
            if (port.slice && value.has_rows &&
                axis_of(*port.slice, node_.input(port.input).shape(), step_) == value.axis) {
                step_.fail("it goes through the rows, which lie along axis " +
                           std::to_string(value.axis) + " of its input " +
                           std::to_string(port.input));
            }
            parameters[port.parameter] = std::move(value);
        }
        return parameters;
    }

    // Values that have rows from the second round on, but none in the first one.
    std::vector<const ops::BodyInput*> ports_that_gain_rows(const RowValues& parameters,
                                                            const RowValues& results) const {
        std::vector<const ops::BodyInput*> ports;
        for (const auto& port : node_.body_ports().inputs) {
            if (!port.back_edge) continue;
            const RowValue result = without_elements(step_, results[*port.back_edge]);
            const RowValue& parameter = parameters[port.parameter];
            if (agree(parameter, result)) continue;
            if (parameter.has_rows || !result.has_rows) fail_at(port, result);
            ports.push_back(&port);
        }
        return ports;
    }

    void give_rows(const ops::BodyInput& port, const RowValue& result, RowValue& parameter) const {
        const Output& input = node_.input(port.input);
        if (!input.shape().has_rank() || input.shape().rank() <= result.axis) {
            fail_at(port, result);
        }
        step_.repeat(port.input, result.axis);
        parameter = RowValue::rows(result.axis, extent_of(input, result.axis));
        parameter.choices = result.choices;
    }

    [[noreturn]] void fail_at(const ops::BodyInput& port, const RowValue& result) const {
        RowObstacle obstacle{&node_,
                             "the value that goes round from its input " +
                                 std::to_string(port.input) + " changes its rows",
                             step_.choices()};
        obstacle.choices.insert(result.choices.begin(), result.choices.end());
        throw obstacle;
    }

    RowValues outputs(const RowValues& results) const {
        if (const auto condition = node_.condition_result()) {
            const RowValue& value = results[*condition];
            if (value.has_rows || value.counts_streams()) {
                throw RowObstacle{&node_, "how often it runs depends on the rows", value.choices};
            }
        }
        RowValues outputs(node_.output_count());
        for (const auto& port : node_.body_ports().outputs) {
            RowValue value = without_elements(step_, results[port.result]);
            const Output joined(node_.body().results()[port.result], 0);
            if (port.concat && value.has_rows &&
                axis_of(*port.concat, joined.shape(), step_) == value.axis) {
                throw RowObstacle{&node_, "it joins its rounds along the axis of the rows",
                                  value.choices};
            }
            outputs[port.output] = std::move(value);
        }
        return outputs;
    }

    const RowStep& step_;
    const ops::IteratedOp& node_;
};

}  // namespace

std::optional<RowValues> rows_of_bodies(const RowStep& step) {
    if (const auto* op = as_op<ops::If>(step.node)) return rows_of_if(step, *op);
    if (const auto* op = as_op<ops::IteratedOp>(step.node)) return LoopWalk(step, *op).run();
    return {};
}

}  // namespace rondo::passes
