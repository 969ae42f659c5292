#include "transformations/recurrent/loop_step.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "transformations/recurrent/loop_cell.hpp"
#include "transformations/recurrent/loop_run.hpp"
#include "transformations/recurrent/sequence_maker.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;

constexpr std::size_t kMostStates = 16;

class LoopReader {
public:
    LoopReader(const ops::IteratedOp& loop, std::string* why)
        : why_(why), loop_(loop), body_(loop.body()), run_(loop) {}

    std::optional<LoopStep> read() {
        if (!body_.sinks().empty()) return refused("its body writes variables");
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (port.slice && !add_slice(port)) {
                return refused("it doesn't read its inputs element by element in one order");
            }
        }
        if (!find_order()) return refused("it reads its inputs in both orders");
        if (!find_states()) return {};
        while (!left_.empty()) {
            if (!read_cell()) return {};
        }
        const auto inputs = inputs_of(step_);
        if (inputs.empty()) return refused("its cell reads no input step by step");
        if (!run_.runs_once_a_step(inputs)) return refused(uncertain_steps());
        return std::move(step_);
    }

private:
    std::nullopt_t refused(const std::string& why) {
        if (why_ != nullptr) *why_ = why;
        return std::nullopt;
    }

    // One more cell, whose states are one or two of those that are left.
    bool read_cell() {
        for (const std::size_t state : left_) {
            if (add_cell({state})) return true;
        }
        for (std::size_t i = 0; i < left_.size(); ++i) {
            for (std::size_t k = i + 1; k < left_.size(); ++k) {
                if (add_cell({left_[i], left_[k]})) return true;
            }
        }
        if (left_.size() > 2) {
            refused("its " + std::to_string(step_.states.size()) +
                    " states are not those of cells");
        }
        return false;
    }

    bool add_cell(const std::vector<std::size_t>& states) {
        auto cell = read_layer_cell(run_, step_.states, states, step_.cells);
        if (!cell) cell = read_loop_cell(run_, step_.states, states, step_.cells, why_);
        if (!cell) return false;
        step_.cells.push_back(*std::move(cell));
        for (const std::size_t state : states) std::erase(left_, state);
        return true;
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
            for (const LoopState& state : step_.states) {
                if (&state.now.node() == node) return node;
            }
            for (const Output& input : node->inputs()) open.push_back(&input.node());
        }
        return nullptr;
    }

    // So have all parts that the body takes itself.
    bool find_order() {
        for (const auto& node : body_.ordered_nodes()) {
            if (as_op<ops::Gather>(*node) == nullptr && as_op<ops::Slice>(*node) == nullptr) {
                continue;
            }
            const auto part = run_.part_of({node, 0});
            if (!part) continue;
            if (ordered_ && step_.reverse != part->reverse) return false;
            ordered_ = true;
            step_.reverse = part->reverse;
        }
        return true;
    }

    // All slices have one order.
    bool add_slice(const BodyInput& port) {
        const auto part = run_.part_of(body_.parameters()[port.parameter]->output(0));
        if (!part || (ordered_ && step_.reverse != part->reverse)) return false;
        ordered_ = true;
        step_.reverse = part->reverse;
        return true;
    }

    // All values that go round: states of f32, and counters.
    bool find_states() {
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (port.back_edge && !add_state(port)) return false;
        }
        if (!take_off_masks() || !find_held()) {
            refused("a mask keeps some of its states, and others not");
            return false;
        }
        if (step_.mask && has_open_units_) {
            refused("the units that its states start with aren't known");
            return false;
        }
        for (std::size_t i = 0; i < step_.states.size(); ++i) left_.push_back(i);
        if (!left_.empty() && left_.size() <= kMostStates) return true;
        refused(std::to_string(left_.size()) + " values of f32 go round");
        return false;
    }

    bool add_state(const BodyInput& port) {
        const Output next = body_.results()[*port.back_edge]->input(0);
        const Output parameter = body_.parameters()[port.parameter]->output(0);
        const std::string name = "'" + parameter.node().name() + "'";
        if (next.element_type() == ElementType::f32) {
            step_.states.push_back({loop_.input(port.input), parameter, next, next, {}});
            return has_units_of_its_first(name, next.shape(), loop_.input(port.input).shape());
        }
        if (loop_.condition_result() == *port.back_edge || run_.counts(port)) return true;
        refused("the value " + name + " goes round and is neither a state of f32 nor a counter");
        return false;
    }

    // A first state of one unit, say, would be broadcast by the body.
    bool has_units_of_its_first(const std::string& name, const PartialShape& next,
                                const PartialShape& first) {
        const std::size_t units = units_of(next);
        const std::size_t begin = units_of(first);
        has_open_units_ = has_open_units_ || begin == 0;
        if (units != 0 && (begin == 0 || begin == units)) return true;
        refused(units == 0 ? "the units of the state " + name + " aren't known"
                           : "the state " + name + " starts with other units");
        return false;
    }

    // One mask for all states, or none.
    bool take_off_masks() {
        std::size_t count = 0;
        for (LoopState& state : step_.states) {
            auto masked = masked_value(state.next, run_);
            if (!masked) continue;
            masked->mask.skips = is_left(state, masked->where_true);
            const Output& left = masked->mask.skips ? masked->where_true : masked->where_false;
            if (!is_left(state, left)) continue;
            if (count > 0 && masked->mask != *step_.mask) return false;
            state.taken = masked->mask.skips ? masked->where_false : masked->where_true;
            if (left != state.now) state.reset = run_.outside(left);
            step_.mask = std::move(masked->mask);
            ++count;
        }
        return count == 0 || count == step_.states.size();
    }

    // Whether rows that don't take a step have this: the state as it was, or, of a value that
    // nothing reads, something that is the same in all steps.
    bool is_left(const LoopState& state, const Output& value) const {
        if (value == state.now) return true;
        const Output around = run_.outside(value);
        const bool fits = around && (is_zero_state(around) || units_of(around.shape()) != 0);
        return fits && state.now.consumers().empty();
    }

    // Values that no cell reads and that are computed as a state. False if another one resets.
    bool find_held() {
        const auto& states = step_.states;
        std::vector<bool> is_held(states.size());
        const auto is_twin = [&](std::size_t i, std::size_t other) {
            return other != i && !is_held[other] && !states[other].reset &&
                   states[other].taken == states[i].taken;
        };
        for (std::size_t i = states.size(); step_.mask && i-- > 0;) {
            const std::size_t reads = states[i].reset ? 0 : 1;
            bool has_twin = false;
            for (std::size_t k = 0; k < states.size(); ++k) has_twin = has_twin || is_twin(i, k);
            is_held[i] = has_twin && states[i].now.consumers().size() == reads;
            if (!is_held[i] && states[i].reset) return false;
        }
        std::vector<LoopState> kept;
        std::vector<std::size_t> number(states.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            number[i] = kept.size();
            if (!is_held[i]) kept.push_back(states[i]);
        }
        for (std::size_t i = 0; i < states.size(); ++i) {
            for (std::size_t k = 0; is_held[i] && k < states.size(); ++k) {
                if (!is_twin(i, k)) continue;
                const bool resets = static_cast<bool>(states[i].reset);
                step_.held.push_back({resets ? states[i].reset : states[i].first, states[i].next,
                                      number[k], resets});
                break;
            }
        }
        step_.states = std::move(kept);
        return true;
    }

    std::string* why_;
    const ops::IteratedOp& loop_;
    const Graph& body_;
    LoopRun run_;
    LoopStep step_;
    std::vector<std::size_t> left_;  // states that no cell has yet
    bool ordered_ = false;
    bool has_open_units_ = false;  // of a first state
};

}  // namespace

std::vector<StepInput> inputs_of(const LoopStep& step) {
    std::vector<StepInput> inputs;
    for (const LoopCell& cell : step.cells) {
        for (const CellSource& source : cell.inputs) {
            if (!source.cell) inputs.push_back(source.part);
        }
    }
    return inputs;
}

std::optional<LoopStep> read_loop_step(const ops::IteratedOp& loop, std::string* why) {
    return LoopReader(loop, why).read();
}

}  // namespace rondo::passes
