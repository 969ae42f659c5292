#include "transformations/state/state_uses.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/cells/recognise_cell.hpp"
#include "transformations/cells/step_reader.hpp"
#include "transformations/state/starting_extent.hpp"
#include "transformations/state/state_starts.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kMostParts = 2;  // H and C

void add_once(const Output& value, std::vector<Output>& values) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// The parts of the input that are computed with.
std::vector<Output> parts_read(const Node& parameter) {
    std::vector<Output> parts;
    std::vector<Output> open{const_cast<Node&>(parameter).output(0)};
    std::set<const Node*> seen;
    const auto pass_on = [&](Node& node) {
        if (!seen.insert(&node).second) return;
        for (std::size_t i = 0; i < node.output_count(); ++i) open.push_back(node.output(i));
    };
    while (!open.empty()) {
        const Output value = open.back();
        open.pop_back();
        for (const Consumer& reader : value.consumers()) {
            const bool is_moved = reader.input < moved_inputs(*reader.node);
            is_moved ? pass_on(*reader.node) : add_once(value, parts);
        }
    }
    return parts;
}

// The computed values that the output puts together.
std::vector<Output> parts_written(const Node& result) {
    std::vector<Output> parts;
    std::vector<Output> open{result.input(0)};
    std::set<const Node*> seen;
    while (!open.empty() && parts.size() <= kMostParts) {
        const Output value = open.back();
        open.pop_back();
        const std::size_t moved = moved_inputs(value.node());
        if (moved == 0) add_once(value, parts);
        if (!seen.insert(&value.node()).second) continue;
        for (std::size_t i = 0; i < moved; ++i) open.push_back(value.node().input(i));
    }
    return parts;
}

// Sums of products of X belong to the cell's formula; what X itself is doesn't.
bool is_projection(const Output& value) {
    std::vector<const Node*> open{&value.node()};
    std::set<const Node*> seen;
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (as_op<ops::MatMul>(*node) != nullptr) return true;
        if (!seen.insert(node).second) continue;
        const bool combines = as_op<ops::Binary>(*node) != nullptr;
        const std::size_t inputs = combines ? node->input_count() : moved_inputs(*node);
        for (std::size_t i = 0; i < inputs; ++i) open.push_back(&node->input(i).node());
    }
    return false;
}

class Reader {
public:
    Reader(const std::vector<Output>& states, const std::set<const Node*>& behind)
        : states_(states),
          behind_(behind),
          reader_(algebra_, [this](const Output& value) { return leaf(value); }) {}

    bool is_cell(const std::vector<Output>& next) {
        std::vector<GateFormula> formulas;
        for (const Output& value : next) {
            const auto formula = reader_.read(value);
            if (!formula) return false;
            formulas.push_back(*formula);
        }
        const auto cell = recognise_cell(algebra_, formulas);
        return cell && cell->type != ops::CellType::rnn && !cell->inputs.empty();
    }

private:
    std::optional<GateFormula> leaf(const Output& value) {
        const PartialShape& shape = value.shape();
        if (!shape.has_rank() || shape.rank() == 0 || !shape[shape.rank() - 1].is_static()) {
            return {};
        }
        const auto units = static_cast<std::size_t>(shape[shape.rank() - 1].length());
        const auto state = std::find(states_.begin(), states_.end(), value);
        if (state != states_.end()) {
            return algebra_.state(static_cast<std::size_t>(state - states_.begin()), units);
        }
        if (behind_.contains(&value.node()) || known_value(value) || is_projection(value)) {
            return {};
        }
        add_once(value, inputs_);
        const auto input = std::find(inputs_.begin(), inputs_.end(), value);
        return algebra_.input(static_cast<std::size_t>(input - inputs_.begin()), units);
    }

    const std::vector<Output>& states_;
    const std::set<const Node*>& behind_;
    std::vector<Output> inputs_;
    GateAlgebra algebra_;
    StepReader reader_;
};

}  // namespace

WrittenCell::WrittenCell(const Graph& graph, const Node& parameter)
    : graph_(graph), parameter_(parameter), states_(parts_read(parameter)) {}

bool WrittenCell::ends_in(const Node& result) {
    if (states_.empty() || states_.size() > kMostParts) return false;
    auto next = parts_written(result);
    if (states_.size() != next.size()) return false;
    if (!behind_) behind_ = nodes_behind(graph_, {&parameter_});
    if (Reader(states_, *behind_).is_cell(next)) return true;
    std::reverse(next.begin(), next.end());
    return next.size() == 2 && Reader(states_, *behind_).is_cell(next);
}

}  // namespace rondo::passes
