#include "transformations/recurrent/recognition/loop_step.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/loop_run.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/recurrent/recognition/op_formula.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"
#include "transformations/recurrent/recognition/step_reader.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;
using ops::RecurrentOp;

class LoopCellReader {
public:
    LoopCellReader(const LoopRun& run, std::span<const LoopState> loop_states,
                   std::span<const LoopCell> before, std::vector<std::size_t> states)
        : run_(run), loop_states_(loop_states), before_(before) {
        cell_.states = std::move(states);
    }

protected:
    // What a value is a part of, or the cell that has just computed it; nothing for other values.
    // `form`: in what form values are compared.
    template <typename Form>
    std::optional<CellSource> source_of(const Output& value, const Form& form) const {
        for (std::size_t i = 0; i < before_.size(); ++i) {
            const Output& taken = loop_states_[before_[i].hidden()].taken;
            if (form(value) == form(taken)) return CellSource{{}, i};
        }
        const auto part = run_.part_of(form(value));
        if (!part || part->axis > 1 || !part->tensor.shape().has_rank()) return {};
        if (part->tensor.shape().rank() != ops::kRankOfX) return {};
        return CellSource{{part->tensor, part->axis}, {}};
    }

    const LoopRun& run_;
    std::span<const LoopState> loop_states_;
    std::span<const LoopCell> before_;
    LoopCell cell_;
};

// A cell that is written out.
class ArithmeticReader : LoopCellReader {
public:
    ArithmeticReader(const LoopRun& run, std::span<const LoopState> loop_states,
                     std::span<const LoopCell> before, std::vector<std::size_t> states)
        : LoopCellReader(run, loop_states, before, std::move(states)),
          reader_(algebra_, [this](const Output& value) { return leaf(value); }) {}

    std::optional<LoopCell> read(std::string* why) {
        std::vector<Output> taken;
        for (const std::size_t state : cell_.states) taken.push_back(loop_states_[state].taken);
        const auto next = reader_.read_all(taken);
        const auto refused = [&](const std::string& reason) {
            if (why != nullptr) *why = reason;
            return std::nullopt;
        };
        if (next.empty()) return refused(unknown_value());
        if (!has_rows()) return refused("a constant in it has other rows than its inputs");
        auto formula = recognise_cell(algebra_, next);
        if (!formula) return refused("its arithmetic is not that of an LSTM, GRU or RNN cell");
        if (cell_.inputs.empty()) return refused("its cell reads no input step by step");
        cell_.formula = *std::move(formula);
        return std::move(cell_);
    }

private:
    std::string unknown_value() const {
        const Node* node = reader_.unknown();
        if (node == nullptr) return "its arithmetic is not that of a cell";
        return "no cell computes its states as " + describe(*node) + " does";
    }

    // Constants of several rows are those of the inputs.
    bool has_rows() const {
        return std::all_of(cell_.inputs.begin(), cell_.inputs.end(), [&](const CellSource& source) {
            const auto& [tensor, time_axis] = source.part;
            return source.cell ? reader_.constant_rows().empty()
                               : reader_.has_rows(tensor.shape()[1 - time_axis]);
        });
    }

    MaybeFormula leaf(const Output& value) {
        for (std::size_t i = 0; i < cell_.states.size(); ++i) {
            const LoopState& state = loop_states_[cell_.states[i]];
            if (value == state.now) return algebra_.state(i, units_of(state.next.shape()));
        }
        const auto source = source_of(value, std::identity());
        const std::size_t units = units_of(value.shape());
        if (!source || units == 0) return {};
        return algebra_.input(number_in(cell_.inputs, *source), units);
    }

    GateAlgebra algebra_;
    StepReader reader_;
};

// A cell that is an op.
class OpReader : LoopCellReader {
public:
    using LoopCellReader::LoopCellReader;

    std::optional<LoopCell> read() {
        const auto made = behind_views(loop_states_[cell_.states.front()].taken);
        op_ = as_op<RecurrentOp>(made.node());
        if (op_ == nullptr || !is_one_step(*op_) || op_->input_count() <= op_->b_port()) return {};
        CellFormula& formula = cell_.formula;
        formula.type = op_->cell_type();
        if (cell_.states.size() != (formula.is_lstm() ? 2U : 1U)) return {};
        formula.attributes = op_->attributes();
        formula.attributes.direction = ops::Direction::forward;
        if (!read_states() || !read_input()) return {};
        const bool has_weights =
            put(op_->w_port(), formula.w) && put(op_->r_port(), formula.r) &&
            put(op_->b_port(), formula.b) &&
            (op_->p_port() == RecurrentOp::npos || put(op_->p_port(), formula.p));
        return has_weights ? std::optional(std::move(cell_)) : std::nullopt;
    }

private:
    // Each state is an output of the op, and the op's input is what it was before.
    bool read_states() {
        bool has_hidden = false, has_cell = !cell_.formula.is_lstm();
        for (std::size_t i = 0; i < cell_.states.size(); ++i) {
            const LoopState& state = loop_states_[cell_.states[i]];
            const Output made = behind_views(state.taken);
            if (&made.node() != op_) return false;
            const bool is_c = made.index() == first_state_output(*op_) + 1;
            (is_c ? cell_.formula.cell_state : cell_.formula.hidden_state) = i;
            (is_c ? has_cell : has_hidden) = true;
            const Output& before = op_->input(is_c ? op_->c_port() : op_->h_port());
            const auto units = static_cast<std::int64_t>(units_of(state.next.shape()));
            if (behind_views(before) != state.now || units != op_->attributes().hidden_size) {
                return false;
            }
        }
        return has_hidden && has_cell;
    }

    bool read_input() {
        const Output& x = op_->input(op_->x_port());
        const std::size_t units = units_of(x.shape());
        const auto source = source_of(x, behind_views);
        if (units == 0 || units_of(behind_views(x).shape()) != units || !source) return false;
        cell_.formula.inputs = {0};
        cell_.formula.input_sizes = {units};
        cell_.inputs = {*source};
        return true;
    }

    // A constant, with an axis for the direction.
    bool put(std::size_t port, Tensor& to) const {
        const Tensor known = known_floats(op_->input(port));
        if (!known) return false;
        Shape shape = known.shape();
        if (!op_->is_sequence()) shape.insert(shape.begin(), 1);
        to = known.reshaped(shape);
        return true;
    }

    const RecurrentOp* op_ = nullptr;
};

// The cell whose states are these ones of the loop, in this order: an LSTMCell, GRUCell, RNNCell or
// sequence of one step as it is, or arithmetic. It may read the outputs of `before`. Returns
// nothing if they are no cell's states; then `why`, if it isn't null, gets the reason.
std::optional<LoopCell> read_loop_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                       std::vector<std::size_t> states,
                                       std::span<const LoopCell> before, std::string* why) {
    if (auto cell = OpReader(run, loop_states, before, states).read()) return cell;
    return ArithmeticReader(run, loop_states, before, std::move(states)).read(why);
}

constexpr std::size_t kMostStates = 16;

class LoopReader {
public:
    LoopReader(const ops::IteratedOp& loop, std::string* why)
        : why_(why), loop_(loop), body_(loop.body()), run_(loop) {}

    std::optional<LoopStep> read() {
        if (!body_.sinks().empty()) return refused("its body writes variables");
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (!port.slice) continue;
            const auto part = run_.part_of(body_.parameters()[port.parameter]->output(0));
            if (!part || !add_order(*part)) {
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
        auto cell = read_loop_cell(run_, step_.states, states, step_.cells, why_);
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
        const NodePtr& condition = body_.results()[*loop_.condition_result()];
        return walk_up({condition->input(0)}, [&](const Node& node) -> std::optional<std::size_t> {
            for (const LoopState& state : step_.states) {
                if (&state.now.node() == &node) return {};
            }
            return kAllInputs;
        });
    }

    // So have all parts that the body takes itself.
    bool find_order() {
        const auto nodes = body_.ordered_nodes();
        return std::all_of(nodes.begin(), nodes.end(), [&](const NodePtr& node) {
            const auto part = run_.part_of({node, 0});
            return !part || add_order(*part);
        });
    }

    // All parts have one order.
    bool add_order(const LoopPart& part) {
        if (std::exchange(ordered_, true)) return step_.reverse == part.reverse;
        step_.reverse = part.reverse;
        return true;
    }

    // Finds the loop-carried values; false unless all are states of f32 and counters.
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
