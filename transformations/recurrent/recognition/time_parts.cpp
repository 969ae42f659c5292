#include "transformations/recurrent/recognition/time_parts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"

namespace rondo::passes {
namespace {

// A reader of steps follows no more nodes in a row.
constexpr std::size_t kMostChanges = 64;

int steps_of(const StepInput& input) {
    return static_cast<int>(input.tensor.shape()[input.time_axis].length());
}

void add_new(const Output& value, std::vector<Output>& values) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// Follows a value down through sums with first states that are constant zeros.
Output with_zeros_added(Output value) {
    for (const Consumer& reader : value.consumers()) {
        const Node& node = *reader.node;
        const bool is_sum =
            ops::is(node, ops::BinaryFunction::add) || ops::is(node, ops::BinaryFunction::subtract);
        const bool adds_zeros = is_sum && known_value(node.input(1 - reader.input)) &&
                                is_zero_state(node.input(1 - reader.input));
        if (adds_zeros) return with_zeros_added(reader.node->output(0));
    }
    return value;
}

// The input that a node slices, reshapes, transposes or combines with constants.
std::optional<std::size_t> changed_input(const Node& node) {
    if (node.traits().view || cuts_parts(node) || order_of(node)) return 0;
    const bool combines =
        as_op<ops::MatMul>(node) != nullptr || as_op<ops::Binary>(node) != nullptr;
    for (const std::size_t i : {0U, 1U}) {
        if (combines && known_value(node.input(i))) return 1 - i;
    }
    return {};
}

}  // namespace

std::optional<SinglePart> taken_element(const Output& value) {
    if (value.node().traits().view) return {};
    const auto part = axis_part(value);
    return part ? element_of(*part) : single_part(value);
}

std::optional<TimePart> time_part(const Output& value) {
    const auto element =
        value.element_type() == ElementType::f32 ? taken_element(value) : std::nullopt;
    if (!element || element->axis == ops::kRankOfX - 1) return {};
    const Output& tensor = element->source;
    if (tensor.shape().rank() != ops::kRankOfX) return {};
    const auto step = static_cast<std::size_t>(element->index);
    const Node& node = tensor.node();
    if (reversed_axis(node) != element->axis) return TimePart{{tensor, element->axis}, step};
    const auto extent = static_cast<std::size_t>(tensor.shape()[element->axis].length());
    return TimePart{{node.input(0), element->axis}, extent - 1 - step};
}

std::vector<StepInput> tensors_in_parts(const Graph& graph) {
    std::vector<std::pair<StepInput, std::set<std::size_t>>> found;
    for (const auto& node : graph.ordered_nodes()) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const auto part = time_part(node->output(i));
            if (!part) continue;
            auto place = std::find_if(found.begin(), found.end(),
                                      [&](const auto& one) { return one.first == part->input; });
            if (place == found.end()) place = found.insert(found.end(), {part->input, {}});
            place->second.insert(part->step);
        }
    }
    std::vector<StepInput> result;
    for (const auto& [input, steps] : found) {
        const auto count = input.tensor.shape()[input.time_axis].length();
        const bool is_whole = steps.size() == static_cast<std::size_t>(count);
        if (is_whole && steps.size() > 1) result.push_back(input);
    }
    return result;
}

StepNumbers::StepNumbers(const Graph& graph, const StepInput& input, bool reverse)
    : input_(input),
      last_(steps_of(input) - 1),
      reverse_(reverse),
      of_steps_(static_cast<std::size_t>(last_) + 1) {
    for (const auto& node : graph.ordered_nodes()) {
        int step = kBefore;
        for (const Output& one : node->inputs()) step = std::max(step, of(one));
        numbers_[node.get()] = step;
        nodes_.push_back(node);
        if (step >= 0) of_steps_[static_cast<std::size_t>(step)].push_back(node);
    }
}

int StepNumbers::of(const Output& value) const {
    const auto part = time_part(value);
    if (!part || !(part->input == input_)) return of(value.node());
    const int step = static_cast<int>(part->step);
    return reverse_ ? last_ - step : step;
}

int StepNumbers::of(const Node& node) const {
    const auto found = numbers_.find(&node);
    return found == numbers_.end() ? kBefore : found->second;
}

std::vector<Output> StepNumbers::handed_on(int step) const {
    std::vector<Output> values;
    for (const NodePtr& node : nodes_) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const Output value = node->output(i);
            if (of(value) != step || value.element_type() != ElementType::f32) continue;
            const bool is_part = time_part(value).has_value();
            if (is_part || known_value(value) || value == input_.tensor) continue;
            const auto& readers = value.consumers();
            const bool is_read =
                std::any_of(readers.begin(), readers.end(),
                            [&](const Consumer& reader) { return of(*reader.node) == step + 1; });
            if (is_read) add_root(value, values);
        }
    }
    return values;
}

// What the next step does to a state alone needs no part of the input: back to the state.
void StepNumbers::add_root(Output value, std::vector<Output>& values) const {
    const int step = of(value);
    while (const auto input = changed_input(value.node())) {
        const Output before = value.node().input(*input);
        if (of(before) != step || known_value(before)) break;
        value = before;
    }
    add_new(with_zeros_added(value), values);
}

std::vector<Output> StepNumbers::states_before() const {
    std::vector<Output> values;
    for (const NodePtr& node : of_steps_.front()) {
        for (const Output& read : node->inputs()) {
            if (of(read) == kBefore) add_states(read, values);
        }
    }
    return values;
}

void StepNumbers::add_states(const Output& value, std::vector<Output>& values) const {
    std::vector<Output> path{value};
    for (auto input = changed_input(value.node()); input && path.size() < kMostChanges;
         input = changed_input(path.back().node())) {
        path.push_back(path.back().node().input(*input));
    }
    std::reverse(path.begin(), path.end());
    for (const Output& one : path) {
        const bool may_be_state =
            one.element_type() == ElementType::f32 && !known_value(one) && !(one == input_.tensor);
        if (may_be_state) add_new(one, values);
    }
}

}  // namespace rondo::passes
