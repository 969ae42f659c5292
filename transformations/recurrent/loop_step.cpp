#include "transformations/recurrent/loop_step.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "transformations/cells/recognise_cell.hpp"
#include "transformations/cells/step_reader.hpp"
#include "transformations/recurrent/loop_run.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;

std::size_t last_extent(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return 0;
    const Dimension& last = shape[shape.rank() - 1];
    return last.is_static() ? static_cast<std::size_t>(last.length()) : 0;
}

class LoopReader {
public:
    LoopReader(const ops::IteratedOp& loop, std::string* why)
        : why_(why),
          loop_(loop),
          body_(loop.body()),
          run_(loop),
          reader_(algebra_, [this](const Output& value) { return leaf(value); }) {}

    std::optional<LoopStep> read() {
        if (!body_.sinks().empty()) return refused("its body writes variables");
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (port.slice && !add_slice(port)) {
                return refused("it doesn't read its inputs element by element in one order");
            }
        }
        if (!find_states()) return {};
        std::vector<GateFormula> next;
        for (const LoopState& state : step_.states) {
            const auto formula = reader_.read(state.taken);
            if (!formula) return refused(unknown_value());
            next.push_back(*formula);
        }
        if (!has_rows()) return refused("a constant in it has other rows than its inputs");
        auto cell = recognise_cell(algebra_, next);
        if (!cell) return refused("its arithmetic is not that of an LSTM, GRU or RNN cell");
        if (step_.inputs.empty()) return refused("its cell reads no input step by step");
        if (!run_.runs_once_a_step(step_.inputs)) return refused(uncertain_steps());
        step_.cell = *std::move(cell);
        return std::move(step_);
    }

private:
    std::nullopt_t refused(const std::string& why) {
        if (why_ != nullptr) *why_ = why;
        return std::nullopt;
    }

    std::string unknown_value() const {
        const Node* node = reader_.unknown();
        if (node == nullptr) return "its arithmetic is not that of a cell";
        return "no cell computes its states as " + describe(*node) + " does";
    }

    std::string uncertain_steps() const {
        if (const Node* state = state_in_condition()) {
            return "its condition depends on the state '" + state->name() + "'";
        }
        return "it isn't certain that it runs once for each step of its inputs";
    }

    // A state of f32 that decides whether the loop goes on; null where none does.
    const Node* state_in_condition() const {
        if (!loop_.condition_result()) return nullptr;
        std::vector<const Node*> open{body_.results()[*loop_.condition_result()].get()};
        std::set<const Node*> seen;
        while (!open.empty()) {
            const Node* node = open.back();
            open.pop_back();
            if (!seen.insert(node).second) continue;
            for (const Output& state : states_) {
                if (&state.node() == node) return node;
            }
            for (const Output& input : node->inputs()) open.push_back(&input.node());
        }
        return nullptr;
    }

    // Constants of several rows are those of the inputs.
    bool has_rows() const {
        for (const std::size_t own : reader_.constant_rows()) {
            for (const StepInput& part : step_.inputs) {
                const Dimension& rows = part.tensor.shape()[1 - part.time_axis];
                if (rows != Dimension(static_cast<std::int64_t>(own))) return false;
            }
        }
        return true;
    }

    // All slices have one order.
    bool add_slice(const BodyInput& port) {
        const auto part = run_.part_of(body_.parameters()[port.parameter]->output(0));
        if (!part || (sliced_ && step_.reverse != part->reverse)) return false;
        sliced_ = true;
        step_.reverse = part->reverse;
        return true;
    }

    // All values that go round: states of f32, and counters.
    bool find_states() {
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (port.back_edge && !add_state(port)) return false;
        }
        if (!take_off_masks()) {
            refused("a mask keeps some of its states, and others not");
            return false;
        }
        find_held();
        const std::size_t count = step_.states.size();
        if (count == 1 || count == 2) return true;
        refused(std::to_string(count) + " values of f32 go round; a cell has one state or two");
        return false;
    }

    bool add_state(const BodyInput& port) {
        const Output next = body_.results()[*port.back_edge]->input(0);
        const Output parameter = body_.parameters()[port.parameter]->output(0);
        const std::string name = "'" + parameter.node().name() + "'";
        if (next.element_type() == ElementType::f32) {
            step_.states.push_back({loop_.input(port.input), next, next});
            states_.push_back(parameter);
            if (last_extent(next.shape()) != 0) return true;
            refused("the units of the state " + name + " aren't known");
            return false;
        }
        if (loop_.condition_result() == *port.back_edge || run_.counts(port)) return true;
        refused("the value " + name + " goes round and is neither a state of f32 nor a counter");
        return false;
    }

    // One mask for all states, or none.
    bool take_off_masks() {
        std::size_t count = 0;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            LoopState& state = step_.states[i];
            auto masked = masked_value(state.next, run_);
            if (!masked) continue;
            masked->mask.skips = masked->where_true == states_[i];
            const Output& kept = masked->mask.skips ? masked->where_true : masked->where_false;
            if (kept != states_[i]) continue;
            if (count > 0 && masked->mask != *step_.mask) return false;
            state.taken = masked->mask.skips ? masked->where_false : masked->where_true;
            step_.mask = std::move(masked->mask);
            ++count;
        }
        return count == 0 || count == states_.size();
    }

    // States that are read to be kept alone, and are computed as another one.
    void find_held() {
        for (std::size_t i = states_.size(); step_.mask && i-- > 0;) {
            if (states_[i].consumers().size() != 1) continue;
            const Output taken = step_.states[i].taken;
            for (std::size_t other = 0; other < states_.size(); ++other) {
                if (other == i || step_.states[other].taken != taken) continue;
                const std::size_t number = other < i ? other : other - 1;
                for (HeldState& held : step_.held) held.state -= held.state > i ? 1 : 0;
                step_.held.push_back({step_.states[i].first, step_.states[i].next, number});
                step_.states.erase(step_.states.begin() + static_cast<std::ptrdiff_t>(i));
                states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        }
    }

    std::optional<GateFormula> leaf(const Output& value) {
        for (std::size_t i = 0; i < states_.size(); ++i) {
            if (value == states_[i]) {
                return algebra_.state(i, last_extent(step_.states[i].next.shape()));
            }
        }
        const auto part = run_.part_of(value);
        return part ? input({part->tensor, part->axis}, value) : std::nullopt;
    }

    std::optional<GateFormula> input(const StepInput& part, const Output& value) {
        const PartialShape& shape = part.tensor.shape();
        const std::size_t size = last_extent(value.shape());
        if (!shape.has_rank() || shape.rank() != 3 || part.time_axis > 1 || size == 0) return {};
        const auto found = std::find(step_.inputs.begin(), step_.inputs.end(), part);
        const auto number = static_cast<std::size_t>(found - step_.inputs.begin());
        if (found == step_.inputs.end()) step_.inputs.push_back(part);
        return algebra_.input(number, size);
    }

    std::string* why_;
    const ops::IteratedOp& loop_;
    const Graph& body_;
    LoopRun run_;
    GateAlgebra algebra_;
    StepReader reader_;
    LoopStep step_;
    std::vector<Output> states_;  // in the body
    bool sliced_ = false;
};

}  // namespace

std::optional<LoopStep> read_loop_step(const ops::IteratedOp& loop, std::string* why) {
    return LoopReader(loop, why).read();
}

Output behind_views(Output value) {
    while (value.node().traits().view) value = value.node().input(0);
    return value;
}

}  // namespace rondo::passes
