#include "transformations/batching/row_walk.hpp"

#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/batching/row_value.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {

RowValues RowWalk::run(const Graph& graph, const RowValues& parameters) {
    Values values;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        values[graph.parameters()[i].get()] = {parameters[i]};
    }
    for (const auto& node : graph.ordered_nodes()) {
        if (values.contains(node.get())) continue;
        RowValues inputs;
        for (const Output& input : node->inputs()) {
            inputs.push_back(values.at(&input.node())[input.index()]);
        }
        values[node.get()] = visit(*node, inputs);
        ++progress_;
    }
    RowValues results;
    for (const auto& result : graph.results()) results.push_back(values.at(result.get())[0]);
    return results;
}

RowValues RowWalk::visit(const Node& node, const RowValues& inputs) {
    if (is_constant(node)) {
        RowValue value;
        value.elements = integers_in(node.known_value(0));
        return {std::move(value)};
    }
    if (reads_variable(node)) return read(node, inputs);
    if (writes_variable(node)) return assign(node, inputs);
    if (is_result(node)) return inputs;
    const auto walk_body = [this](const Graph& body, const RowValues& parameters) {
        ++depth_;
        RowValues results = run(body, parameters);
        --depth_;
        return results;
    };
    const bool is_choice = depth_ == 0 && as_op<ops::If>(node) != nullptr;
    if (is_choice && !inputs[0].has_rows && !inputs[0].counts_streams()) {
        shared_choices_.push_back(&node);
    }
    const RowStep step{node, inputs, search_, edits_, walk_body};
    RowValues outputs;
    if (auto view = rows_of_view(step)) {
        outputs = std::move(*view);
    } else if (auto repetition = rows_of_repetition(step)) {
        outputs = std::move(*repetition);
    } else if (auto bodies = rows_of_bodies(step)) {
        outputs = std::move(*bodies);
    } else {
        outputs = rows_of_op(step);
    }
    const Choices choices = step.choices();
    for (RowValue& output : outputs) output.choices.insert(choices.begin(), choices.end());
    return outputs;
}

void RowWalk::check_init(const RowStep& step, const RowValue& variable) const {
    if (step.inputs.empty()) return;
    const RowValue& init = step.inputs[0];
    if (init.counts_streams()) step.fail("it starts from the number of streams");
    if (init.has_rows == variable.has_rows) {
        const bool fits =
            !init.has_rows || (init.axis == variable.axis && init.extent == variable.extent);
        if (fits) return;
    } else if (variable.has_rows && step.edits != nullptr) {
        step.edits->push_back({BatchEdit::Kind::start, &step.node, 0, variable.axis});
        return;
    }
    RowObstacle obstacle{&step.node, "its first value doesn't have the rows that it has later",
                         variable.choices};
    const Choices choices = step.choices();
    obstacle.choices.insert(choices.begin(), choices.end());
    throw obstacle;
}

RowValues RowWalk::read(const Node& node, const RowValues& inputs) {
    const std::string& id = dynamic_cast<const ops::ReadValueBase&>(node).variable_id();
    const Output output(const_cast<Node&>(node).shared_from_this(), 0);
    std::vector<RowValue> possible = possible_rows(output, edits_ == nullptr);
    possible.emplace_back();  // the same for all streams
    Choices causes;
    const std::size_t taken = search_.choose(possible.size(), causes);
    RowValue value = possible[taken];
    value.choices = std::move(causes);
    const auto no_bodies = [](const Graph&, const RowValues&) { return RowValues(); };
    check_init({node, inputs, search_, edits_, no_bodies}, value);
    variables_[id] = value;
    return {std::move(value)};
}

RowValues RowWalk::assign(const Node& node, const RowValues& inputs) const {
    const std::string& id = dynamic_cast<const ops::AssignBase&>(node).variable_id();
    const RowValue& before = variables_.at(id);
    const RowValue& after = inputs[0];
    const bool fits =
        before.has_rows == after.has_rows && !after.counts_streams() &&
        (!before.has_rows || (before.axis == after.axis && before.extent == after.extent));
    if (fits) return inputs;
    const auto text = [](const RowValue& value) {
        return value.has_rows ? "rows along axis " + std::to_string(value.axis) : "no rows";
    };
    RowObstacle obstacle{
        &node, "it assigns " + text(after) + " to a variable that was read as " + text(before),
        before.choices};
    obstacle.choices.insert(after.choices.begin(), after.choices.end());
    throw obstacle;
}

std::vector<RowValue> possible_rows(const Output& tensor, bool as_it_is) {
    std::vector<RowValue> likely;
    std::vector<RowValue> others;
    const PartialShape& shape = tensor.shape();
    for (std::size_t axis = 0; shape.has_rank() && axis < shape.rank(); ++axis) {
        const Dimension& extent = shape[axis];
        if (extent.is_static() && (as_it_is || extent == Dimension(0))) continue;
        if (!extent.is_static() || extent == Dimension(1)) {
            likely.push_back(RowValue::rows(axis, 1));
        }
        if (extent != Dimension(1)) {
            others.push_back(RowValue::rows(axis, extent_of(tensor, axis)));
        }
    }
    likely.insert(likely.end(), others.begin(), others.end());
    return likely;
}

}  // namespace rondo::passes
