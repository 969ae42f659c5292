#include "transformations/recurrent/recognition/unrolled_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/recurrent/recognition/op_formula.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"
#include "transformations/recurrent/recognition/step_reader.hpp"
#include "transformations/recurrent/recognition/time_parts.hpp"

namespace rondo::passes {
namespace {

class UnrolledReader {
public:
    /// `opens`: whether a product of all steps is read as one of each; else it is an input.
    UnrolledReader(const StepNumbers& numbers, const StepInput& input, bool opens, StepDoubt* doubt)
        : numbers_(numbers), input_(input), opens_(opens), doubt_(doubt) {
        steps_.reverse = numbers.is_reverse();
    }

    std::optional<UnrolledSteps> read() {
        const auto after_first = numbers_.handed_on(0), after_second = numbers_.handed_on(1);
        const auto choices = state_choices(after_first.size(), after_second.size());
        if (choices.empty()) {
            doubted(Stage::states, "its first steps hand on " + std::to_string(after_first.size()) +
                                       " and " + std::to_string(after_second.size()) + " values");
            return {};
        }
        doubted(Stage::nothing, "no value of one step is read by the next");
        for (const auto& [first, second] : choices) {
            auto now = picked(after_first, first);
            const auto next = picked(after_second, second);
            for (std::size_t order = 0; order < first.size(); ++order) {
                if (recognise(now, next) && follow()) {
                    read_first_step();
                    return std::move(steps_);
                }
                std::reverse(now.begin(), now.end());
            }
        }
        return {};
    }

private:
    static constexpr std::size_t kMostCandidates = 26;
    // Where the steps hand on different numbers of values, such as a sum that the second one
    // begins.
    static constexpr std::size_t kMostUnpaired = 6;
    static constexpr std::size_t kMostFirstStates = 16;
    using Formulas = std::vector<GateFormula>;
    using Places = std::vector<std::size_t>;
    enum class Stage : std::uint8_t { nothing, states, arithmetic, rows, cell, chain };

    // Kept if no other attempt came as far.
    void doubted(Stage stage, const std::string& why) {
        if (doubt_ == nullptr || static_cast<int>(stage) <= doubt_->stage) return;
        *doubt_ = {static_cast<int>(stage), why};
    }

    void doubt_arithmetic(const StepReader& step) {
        const Node* node = step.unknown();
        doubted(Stage::arithmetic, node == nullptr
                                       ? "its arithmetic is not that of a cell"
                                       : "no cell computes its states as '" + node->name() + "' (" +
                                             std::string(node->type_name()) + ") does");
    }

    // One or two of so many.
    static std::vector<Places> subsets(std::size_t count) {
        std::vector<Places> result;
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = i + 1; j < count; ++j) result.push_back({i, j});
        }
        for (std::size_t i = 0; i < count; ++i) result.push_back({i});
        return result;
    }

    // Which values of one step and of the next may be states: at the same places, if there are as
    // many.
    static std::vector<std::pair<Places, Places>> state_choices(std::size_t first,
                                                                std::size_t second) {
        std::vector<std::pair<Places, Places>> choices;
        const std::size_t most = std::max(first, second);
        if (most > (first == second ? kMostCandidates : kMostUnpaired)) return choices;
        const auto all_next = subsets(second);
        for (const Places& now : subsets(first)) {
            for (const Places& next : all_next) {
                const bool fits = first == second ? now == next : now.size() == next.size();
                if (fits) choices.emplace_back(now, next);
            }
        }
        return choices;
    }

    static std::vector<Output> picked(const std::vector<Output>& values, const Places& some) {
        std::vector<Output> result;
        for (const std::size_t i : some) result.push_back(values[i]);
        return result;
    }

    // The formula of a value in a step that starts with the states `now`.
    StepReader reader(int step, const std::vector<Output>& now, bool zero = false) {
        return StepReader(algebra_, [this, step, now, zero](const Output& value) {
            return leaf(value, step, now, zero);
        });
    }

    MaybeFormula leaf(const Output& value, int step, const std::vector<Output>& now, bool zero) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (value == now[i]) return algebra_.state(i, units_of(value.shape()));
        }
        if (zero && value.element_type() == ElementType::f32 && is_zero_state(value)) {
            steps_.zeros.push_back(value);
            return GateAlgebra::numbers({0});
        }
        const auto part = time_part(value);
        if (!part || !(part->input == input_) || numbers_.of(value) != step) return {};
        return of_tensor(input_.tensor);
    }

    // A product that was computed for all steps at once is one of each.
    MaybeFormula of_tensor(const Output& tensor) {
        const Output factor = opens_ ? factor_of_product(tensor) : Output();
        if (!factor) return input(tensor);
        StepReader whole(algebra_, [this, &factor](const Output& value) {
            return value == factor ? input(value) : std::nullopt;
        });
        const auto formula = whole.read(tensor);
        return formula && whole.constant_rows().empty() ? formula : input(tensor);
    }

    // The input that a MatMul multiplies by a constant, if `value` is this product with constants
    // added to it, on tensors of the same axes; else empty.
    static Output factor_of_product(Output value) {
        while (value) {
            const bool is_product = as_op<ops::MatMul>(value.node()) != nullptr;
            value = combined_with_constant(value, is_product);
            if (is_product) return value;
        }
        return {};
    }

    // The input of a MatMul or Add whose other one is a constant, or empty.
    static Output combined_with_constant(const Output& value, bool is_product) {
        const Node& node = value.node();
        if (!is_product && !ops::is(node, ops::BinaryFunction::add)) return {};
        for (std::size_t i = 0; i < (is_product ? 1U : 2U); ++i) {
            const Output& input = node.input(i);
            const bool has_rank =
                input.shape().has_rank() && input.shape().rank() == value.shape().rank();
            if (has_rank && known_value(node.input(1 - i))) return input;
        }
        return {};
    }

    MaybeFormula input(const Output& tensor) {
        const std::size_t size = units_of(tensor.shape());
        if (known_value(tensor) || size == 0) return {};
        const StepInput part{tensor, input_.time_axis};
        return algebra_.input(number_in(steps_.inputs, part), size);
    }

    // Constants of several rows are those of this many.
    bool has_rows(const StepReader& reader) const {
        return reader.has_rows(input_.tensor.shape()[1 - input_.time_axis]);
    }

    bool recognise(const std::vector<Output>& now, const std::vector<Output>& next) {
        StepReader step = reader(1, now);
        formulas_ = step.read_all(next);
        if (formulas_.empty()) {
            doubt_arithmetic(step);
            return false;
        }
        if (!has_rows(step)) {
            doubted(Stage::rows, "it isn't certain that a constant has as many rows as its input");
            return false;
        }
        auto cell = recognise_cell(algebra_, formulas_);
        if (!cell) {
            doubted(Stage::cell, "its steps are neither LSTM nor GRU nor RNN cells");
            return false;
        }
        steps_.cell = *std::move(cell);
        steps_.states = {now, next};
        return true;
    }

    // All further steps are the same cell.
    bool follow() {
        for (int step = 2; step <= numbers_.last(); ++step) {
            const auto next = find_next(step, steps_.states.back());
            if (next.empty()) {
                doubted(Stage::chain,
                        "step " + std::to_string(step) + " is another cell than step 1");
                return false;
            }
            steps_.states.push_back(next);
        }
        return true;
    }

    // The Select between two forms of the value if there is one, else the value itself.
    static Output behind_choice(const Output& value, const GateFormula& formula,
                                StepReader& reader) {
        for (const Consumer& one : value.consumers()) {
            if (as_op<ops::Select>(*one.node) == nullptr) continue;
            if (reader.read(one.node->output(0)) == formula) return one.node->output(0);
        }
        return value;
    }

    // The values of the step that have the formulas of the cell; empty where one is missing.
    std::vector<Output> find_next(int step, const std::vector<Output>& now) {
        StepReader current = reader(step, now);
        std::vector<Output> next(formulas_.size());
        std::size_t missing = next.size();
        for (const Output& value : possible_states(step)) {
            const auto formula = current.read(value);
            for (std::size_t i = 0; formula && i < next.size(); ++i) {
                if (next[i] || *formula != formulas_[i]) continue;
                next[i] = behind_choice(value, *formula, current);
                --missing;
            }
            if (missing == 0) return has_rows(current) ? next : std::vector<Output>();
        }
        return {};
    }

    // Values of a step by which cells end.
    std::vector<Output> possible_states(int step) const {
        std::vector<Output> values;
        for (const NodePtr& node : numbers_.nodes_of(step)) {
            if (node->traits().elementwise) values.push_back(node->output(0));
            const auto* op = as_op<ops::RecurrentOp>(*node);
            for (std::size_t i = op != nullptr ? first_state_output(*op) : node->output_count();
                 i < node->output_count(); ++i) {
                values.push_back(node->output(i));
            }
        }
        return values;
    }

    // The formulas where all states are zeros.
    Formulas without_states() {
        Formulas result;
        for (const GateFormula& formula : formulas_) result.push_back(algebra_.at_zero(formula));
        return result;
    }

    // Whether the first step gives those formulas of these states, or of zeros where there are
    // none.
    bool begins_with(const std::vector<Output>& now, const Formulas& expected) {
        StepReader first = reader(0, now, now.empty());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (first.read(steps_.states[0][i]) != expected[i]) return false;
        }
        return has_rows(first);
    }

    // The first step may be the same cell with states from outside, or with zeros, of which
    // products were computed when the model was written. Else it stays, and gives the states.
    void read_first_step() {
        if (find_first_states()) return;
        if (begins_with({}, without_states())) return;
        steps_.first = steps_.states[0];
        steps_.states.erase(steps_.states.begin());
        steps_.skipped = 1;
    }

    bool find_first_states() {
        std::vector<Output> candidates;
        for (const Output& value : numbers_.states_before()) {
            if (units_of(value.shape()) == formulas_[0].units) candidates.push_back(value);
        }
        if (candidates.size() > kMostFirstStates) return false;
        for (const auto& some : subsets(candidates.size())) {
            if (some.size() != formulas_.size()) continue;
            auto now = picked(candidates, some);
            for (std::size_t order = 0; order < some.size(); ++order) {
                if (begins_with(now, formulas_)) {
                    steps_.first = now;
                    return true;
                }
                std::reverse(now.begin(), now.end());
            }
        }
        return false;
    }

    const StepNumbers& numbers_;
    const StepInput input_;
    const bool opens_;
    StepDoubt* doubt_;
    GateAlgebra algebra_;
    UnrolledSteps steps_;
    Formulas formulas_;
};

}  // namespace

std::optional<UnrolledSteps> read_unrolled_steps(const Graph& graph, const StepInput& input,
                                                 bool reverse, StepDoubt* doubt) {
    const StepNumbers numbers(graph, input, reverse);
    for (const bool opens : {true, false}) {
        if (auto steps = UnrolledReader(numbers, input, opens, doubt).read()) return steps;
    }
    return {};
}

std::vector<std::string> nodes_of_steps(const Graph& graph, const StepInput& input) {
    std::set<std::string> names;
    for (const bool reverse : {false, true}) {
        const StepNumbers numbers(graph, input, reverse);
        for (int step = 0; step < numbers.last(); ++step) {
            for (const NodePtr& node : numbers.nodes_of(step)) names.insert(node->name());
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace rondo::passes
