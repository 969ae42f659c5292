#include "transformations/recurrent/written_step.hpp"

#include <algorithm>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/cells/recognise_cell.hpp"
#include "transformations/cells/step_reader.hpp"
#include "transformations/recurrent/loop_cell.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;

// No cell has more nodes.
constexpr std::size_t kMostNodes = 128;
// Nor more values from which its next state is summed.
constexpr std::size_t kMostCandidates = 12;
constexpr int kMostSums = 5;

bool has(const std::vector<Output>& values, const Output& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_sum(const Node& node) {
    return ops::is(node, BinaryFunction::add) || ops::is(node, BinaryFunction::subtract) ||
           ops::is(node, BinaryFunction::multiply);
}

bool is_cut(const Node& node) {
    return as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr ||
           as_op<ops::Slice>(node) != nullptr || as_op<ops::Gather>(node) != nullptr;
}

bool is_arithmetic(const Node& node) {
    return as_op<ops::Binary>(node) != nullptr || as_op<ops::Unary>(node) != nullptr ||
           as_op<ops::Select>(node) != nullptr || as_op<ops::Compare>(node) != nullptr;
}

// As an RNN's H' is; softsign is a quotient.
bool is_function(const Node& node) {
    return as_op<ops::Unary>(node) != nullptr || ops::is(node, BinaryFunction::divide);
}

// What sums and products give a value, the nearest first: one of it may be its state.
std::vector<Output> summed_values(const Output& value) {
    const std::size_t units = units_of(value.shape());
    std::vector<Output> found, level{value};
    for (int depth = 0; depth < kMostSums && found.size() < kMostCandidates; ++depth) {
        std::vector<Output> next;
        for (const Output& one : level) {
            const bool is_choice = as_op<ops::Select>(one.node()) != nullptr;
            if (!is_choice && !is_sum(one.node())) continue;
            for (std::size_t i = is_choice ? 1 : 0; i < one.node().input_count(); ++i) {
                const Output& input = one.node().input(i);
                if (known_value(input) || units_of(input.shape()) != units) continue;
                next.push_back(input);
                const bool is_function = as_op<ops::Unary>(input.node()) != nullptr;
                if (!is_function && !has(found, input)) found.push_back(input);
            }
        }
        level = std::move(next);
    }
    return found;
}

// Whether a value, or a view of it, is an output of the graph or the next value of a variable.
bool leaves(const Output& value) {
    const auto& readers = value.consumers();
    return std::any_of(readers.begin(), readers.end(), [](const Consumer& reader) {
        const Node& node = *reader.node;
        if (as_op<ops::Result>(node) != nullptr || as_op<ops::Assign>(node) != nullptr) return true;
        return node.traits().view && leaves(reader.node->output(0));
    });
}

// How a walk takes inputs that a Concat has side by side, without a state among them.
enum class JoinedInputs { one_by_one, as_one };

// A step with given states: its inputs are what constant matrices multiply.
class StepWalk {
public:
    StepWalk(std::vector<Output> next, std::vector<Output> now,
             JoinedInputs joined = JoinedInputs::one_by_one)
        : next_(std::move(next)), now_(std::move(now)), joined_(joined) {
        for (const Output& value : next_) open(value);
        while (!open_.empty() && inside_.size() <= kMostNodes) {
            const Output value = open_.back();
            open_.pop_back();
            visit(value);
        }
        ends_ = ends_ && inside_.size() <= kMostNodes;
    }

    /// Whether everything that the states are computed of was found.
    bool ends() const { return ends_; }
    const std::vector<Output>& inputs() const { return inputs_; }
    const std::set<const Node*>& inside() const { return inside_; }
    bool joins_rows() const { return joins_rows_; }
    bool joins_some() const {
        return joins_rows_ &&
               !std::all_of(inputs_.begin(), inputs_.end(),
                            [&](const Output& input) { return has(beside_states_, input); });
    }
    bool moves_rows() const { return moves_rows_; }
    /// Whether a constant matrix multiplies a state, also behind its reset gate.
    bool recurs() const { return recurs_; }

    /// Whether nothing else reads what lies inside.
    bool is_closed() const {
        return std::all_of(inside_.begin(), inside_.end(), [&](const Node* node) {
            for (std::size_t i = 0; i < node->output_count(); ++i) {
                if (!is_next(*node, i) && is_read_outside(node->consumers(i))) return false;
            }
            return true;
        });
    }

private:
    bool is_next(const Node& node, std::size_t output) const {
        return std::any_of(next_.begin(), next_.end(), [&](const Output& value) {
            return &value.node() == &node && value.index() == output;
        });
    }

    bool is_read_outside(const Consumers& readers) const {
        return std::any_of(readers.begin(), readers.end(),
                           [&](const Consumer& reader) { return !inside_.contains(reader.node); });
    }

    void open(const Output& value) {
        const bool is_end = has(now_, value) || has(inputs_, value) || known_value(value);
        if (!is_end && !inside_.contains(&value.node())) open_.push_back(value);
    }

    void visit(const Output& value) {
        const Node& node = value.node();
        if (!inside_.insert(&node).second) return;
        if (as_op<ops::MatMul>(node) != nullptr) {
            multiply(node.input(0));
            ends_ = ends_ && known_value(node.input(1));
        } else if (is_arithmetic(node)) {
            for (const Output& input : node.inputs()) open(input);
        } else if (as_op<ops::Transpose>(node) != nullptr) {
            open(node.input(0));
        } else if (is_cut(node) || node.traits().view) {
            moves_rows_ = moves_rows_ || is_moved(node);
            open(node.input(0));
        } else {
            ends_ = false;
        }
    }

    // A view of the same last axis and others in front of it.
    static bool is_moved(const Node& node) {
        if (!node.traits().view) return false;
        const PartialShape& before = node.input(0).shape();
        const PartialShape& after = node.output_shape(0);
        return units_of(before) == units_of(after) && !(before == after);
    }

    // A state, a view of one, or one times its reset gate.
    bool is_made_of_state(const Output& value) const {
        const Node& node = value.node();
        const bool may_be = node.traits().view || ops::is(node, BinaryFunction::multiply);
        return has(now_, value) ||
               (may_be && std::any_of(node.inputs().begin(), node.inputs().end(),
                                      [&](const Output& input) { return has(now_, input); }));
    }

    // Values side by side, or one value.
    void multiply(const Output& left) {
        if (as_op<ops::Concat>(left.node()) == nullptr) return take(left);
        const auto& parts = left.node().inputs();
        const bool has_state = std::any_of(
            parts.begin(), parts.end(), [&](const Output& part) { return is_made_of_state(part); });
        if (!has_state && joined_ == JoinedInputs::as_one) return take(left);
        inside_.insert(&left.node());
        joins_rows_ = true;
        for (const Output& part : parts) {
            take(part);
            if (has_state) beside_states_.push_back(part);
        }
    }

    void take(const Output& left) {
        if (has(now_, left)) {
            recurs_ = true;
            return;
        }
        const bool has_state = is_made_of_state(left);
        recurs_ = recurs_ || has_state;
        if (has_state) {
            open(left);
        } else if (!has(inputs_, left)) {
            inputs_.push_back(left);
        }
    }

    const std::vector<Output> next_, now_;
    const JoinedInputs joined_;
    std::vector<Output> open_, inputs_;
    std::vector<Output> beside_states_;  // in a Concat, which has the same rows for all
    std::set<const Node*> inside_;
    bool ends_ = true;
    bool joins_rows_ = false;
    bool moves_rows_ = false;
    bool recurs_ = false;
};

// Whether a step has as many functions as a cell with gates: seen before its weights are read.
bool has_gates(const StepWalk& walk) {
    const auto count = std::count_if(walk.inside().begin(), walk.inside().end(), [](auto* node) {
        return is_arithmetic(*node) && !is_sum(*node);
    });
    return count >= 2;
}

class WrittenStepReader {
public:
    explicit WrittenStepReader(const Output& hidden) : hidden_(hidden) {}

    std::optional<WrittenStep> read() {
        const Node& node = hidden_.node();
        if (hidden_.element_type() != ElementType::f32 || units_of(hidden_.shape()) == 0) return {};
        if (ops::is(node, BinaryFunction::multiply)) {
            for (const std::size_t i : {0U, 1U}) {
                if (auto step = read_lstm(node.input(i))) return step;
            }
            return {};
        }
        const bool is_choice = as_op<ops::Select>(node) != nullptr;
        if (is_sum(node) || is_choice) {
            if (auto step = read_gru()) return step;
        }
        return is_choice || is_function(node) ? read_rnn() : std::nullopt;
    }

private:
    // H' is a gate times this: C', or a function of it.
    std::optional<WrittenStep> read_lstm(const Output& factor) const {
        const bool is_function = as_op<ops::Unary>(factor.node()) != nullptr;
        const Output cell = is_function ? factor.node().input(0) : factor;
        const bool may_be_cell = is_sum(cell.node()) || as_op<ops::Select>(cell.node()) != nullptr;
        if (!may_be_cell || units_of(cell.shape()) != units_of(hidden_.shape())) return {};
        for (const Output& state : summed_values(cell)) {
            for (const Output& hidden : factors_before(cell, state)) {
                if (auto step = read_with({hidden_, cell}, {hidden, state})) return step;
            }
        }
        return {};
    }

    // What may be H: has as many units, the last one first, since X mostly stands before it.
    std::vector<Output> factors_before(const Output& cell, const Output& state) const {
        const StepWalk walk({hidden_, cell}, {state});
        if (!walk.ends()) return {};
        std::vector<Output> found;
        for (const Output& input : walk.inputs()) {
            const bool fits = units_of(input.shape()) == units_of(hidden_.shape());
            if (fits && !known_value(input)) found.insert(found.begin(), input);
        }
        return found;
    }

    std::optional<WrittenStep> read_gru() const {
        for (const Output& state : summed_values(hidden_)) {
            auto step = read_with({hidden_}, {state});
            if (step && step->cell.type == ops::CellType::gru) return step;
        }
        return {};
    }

    std::optional<WrittenStep> read_rnn() const {
        if (!leaves(hidden_)) return {};
        const StepWalk walk({hidden_}, {});
        if (!walk.ends() || walk.inputs().size() != 2) return {};
        for (const Output& state : {walk.inputs()[1], walk.inputs()[0]}) {
            const Node& source = behind_views(state).node();
            const bool is_kept = as_op<ops::Parameter>(source) != nullptr ||
                                 as_op<ops::ReadValue>(source) != nullptr;
            if (!is_kept || state.shape() != hidden_.shape()) continue;
            auto step = read_with({hidden_}, {state});
            if (step && step->cell.type == ops::CellType::rnn) return step;
        }
        return {};
    }

    static std::optional<WrittenStep> read_with(std::vector<Output> next, std::vector<Output> now) {
        const StepWalk walk(next, now, JoinedInputs::as_one);
        const bool may_be_cell = walk.ends() && walk.recurs() && !walk.inputs().empty();
        if (!may_be_cell || !walk.is_closed()) return {};
        if (!is_function(next.front().node()) && !has_gates(walk)) return {};
        GateAlgebra algebra;
        StepReader reader(algebra, [&](const Output& value) -> std::optional<GateFormula> {
            for (std::size_t i = 0; i < now.size(); ++i) {
                if (value == now[i]) return algebra.state(i, units_of(value.shape()));
            }
            const auto& inputs = walk.inputs();
            const auto found = std::find(inputs.begin(), inputs.end(), value);
            if (found == inputs.end() || units_of(value.shape()) == 0) return {};
            return algebra.input(static_cast<std::size_t>(found - inputs.begin()),
                                 units_of(value.shape()));
        });
        std::vector<GateFormula> formulas;
        for (const Output& value : next) {
            const auto formula = reader.read(value);
            if (!formula) return {};
            formulas.push_back(*formula);
        }
        if (!reader.constant_rows().empty()) return {};
        auto cell = recognise_cell(algebra, formulas);
        if (!cell || cell->inputs.empty()) return {};
        WrittenStep step;
        step.cell = *std::move(cell);
        step.inputs = walk.inputs();
        step.now = std::move(now);
        step.next = std::move(next);
        step.inside = walk.inside();
        step.joins_rows = walk.joins_rows();
        step.joins_some = walk.joins_some();
        step.moves_rows = walk.moves_rows();
        return step;
    }

    const Output hidden_;
};

}  // namespace

std::optional<WrittenStep> read_written_step(const Output& hidden) {
    return WrittenStepReader(hidden).read();
}

}  // namespace rondo::passes
