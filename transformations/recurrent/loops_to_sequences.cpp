#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transformations/analysis/slices.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/recognition/loop_step.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"

namespace rondo::passes {
namespace {

using ops::BodyOutput;

class LoopRewriter {
public:
    LoopRewriter(Rewriter& rewriter, ops::IteratedOp& loop, const LoopStep& step)
        : rewriter_(rewriter), by_(rewriter, loop.name()), loop_(loop), step_(step) {}

    /// The outputs of the loop that no output of a sequence can replace.
    std::vector<std::size_t> unmade_outputs() const {
        std::vector<std::size_t> unmade;
        for (const BodyOutput& port : loop_.body_ports().outputs) {
            if (is_read(port) && !can_make(port)) unmade.push_back(port.output);
        }
        return unmade;
    }

    /// False where the loop stays.
    bool rewrite() {
        const auto unmade = unmade_outputs();
        if ((masked() && !unmade.empty()) || !fits_mask() || !fit_held_rows()) return false;
        if (step_.mask) masked_.emplace(rewriter_, *step_.mask, loop_.name());
        for (const LoopCell& cell : step_.cells) {
            const NodePtr sequence = make_sequence(rewriter_, cell.formula, request_for(cell));
            if (!sequence) return false;
            sequences_.push_back(sequence);
        }
        std::vector<Output> made(loop_.output_count());
        if (!unmade.empty()) {
            const auto rest = make_residual_loop(rewriter_, loop_, step_, sequences_, unmade);
            if (!rest) return false;
            for (std::size_t i = 0; i < unmade.size(); ++i) made[unmade[i]] = rest->output(i);
        }
        for (const BodyOutput& port : loop_.body_ports().outputs) {
            if (is_read(port) && !made[port.output]) made[port.output] = make(port);
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (made[i]) rewriter_.replace(loop_.output(i), made[i]);
        }
        if (unmade.empty()) {
            rewriter_.inherit_name(loop_.shared_from_this(), *sequences_.back());
        }
        return true;
    }

private:
    SequenceRequest request_for(const LoopCell& cell) {
        SequenceRequest request;
        request.name = loop_.name();
        if (step_.cells.size() > 1) request.name += "/cell" + std::to_string(sequences_.size());
        for (const CellSource& source : cell.inputs) {
            request.inputs.push_back(source.cell ? StepInput{steps_of(*source.cell), 1}
                                                 : source.part);
        }
        for (const std::size_t state : cell.states) {
            request.states.push_back(step_.states[state].first);
        }
        request.reverse = step_.reverse;
        request.masked = masked_ ? &*masked_ : nullptr;
        return request;
    }

    // What a cell puts out, [N,T,H].
    Output steps_of(std::size_t cell) {
        Output y = sequences_[cell]->output(0);
        const std::size_t hidden = step_.cells[cell].hidden();
        if (masked_) y = masked_->spread(y, zeros_left_out(step_.states[hidden].first));
        return make_all_steps(by_, y, 1);
    }

    bool is_read(const BodyOutput& port) const { return !loop_.consumers(port.output).empty(); }

    Output value_of(const BodyOutput& port) const {
        return loop_.body().results()[port.result]->input(0);
    }

    // A mask has the rows and steps of all inputs.
    bool fits_mask() const {
        if (!step_.mask) return true;
        const auto inputs = inputs_of(step_);
        return !step_.reverse &&
               std::all_of(inputs.begin(), inputs.end(), [&](const StepInput& input) {
                   return has_steps_of(step_.mask->tensor, step_.mask->time_axis, input);
               });
    }

    // What a value is where no step was taken has the rows of the inputs.
    bool fit_held_rows() const {
        const auto inputs = inputs_of(step_);
        return std::all_of(step_.held.begin(), step_.held.end(), [&](const HeldState& held) {
            return fits_rows(held.first, inputs.front());
        });
    }

    // Whether the steps are joined in the other order than the sequence has them.
    bool turns_round(const BodyOutput& port) const {
        return port.concat && port.concat->is_reversed() != step_.reverse;
    }

    bool masked() const { return step_.mask.has_value(); }

    const HeldState* held_by(const Output& value) const {
        for (const HeldState& held : step_.held) {
            if (behind_views(value) == behind_views(held.next)) return &held;
        }
        return nullptr;
    }

    // The state whose next value this is, or that it holds; nothing for another value.
    std::optional<std::size_t> state_of(const Output& value) const {
        for (std::size_t i = 0; i < step_.states.size(); ++i) {
            if (behind_views(value) == behind_views(step_.states[i].next)) return i;
        }
        const HeldState* held = held_by(value);
        return held != nullptr ? std::optional(held->state) : std::nullopt;
    }

    static Output zeros_left_out(const Output& first) {
        return is_zero_state(first) ? Output() : first;
    }

    // What a value is before the first step that a row takes; empty for zeros.
    Output first_of(const Output& value) const {
        const HeldState* held = held_by(value);
        return zeros_left_out(held != nullptr ? held->first : step_.states[*state_of(value)].first);
    }

    // The number of the cell that has a state.
    std::size_t cell_of(std::size_t state) const {
        const auto has_it = [&](const LoopCell& cell) {
            return std::find(cell.states.begin(), cell.states.end(), state) != cell.states.end();
        };
        const auto& cells = step_.cells;
        return static_cast<std::size_t>(std::find_if(cells.begin(), cells.end(), has_it) -
                                        cells.begin());
    }

    bool can_make(const BodyOutput& port) const {
        const Output value = value_of(port);
        const auto state = state_of(value);
        const PartialShape& shape = value.shape();
        if (!state || !shape.has_rank() || shape.rank() < 2) return false;
        const LoopCell& cell = step_.cells[cell_of(*state)];
        const std::int64_t units = cell.formula.attributes.hidden_size;
        const HeldState* held = held_by(value);
        if (!port.concat) return (held == nullptr || !held->resets) && has_rows_of(shape, units);
        const bool fits = *state == cell.hidden() && shape.rank() == 3 &&
                          shape[2] == Dimension(units) && port.concat->part_size == 1 &&
                          (port.concat->axis == 0 || port.concat->axis == 1);
        return fits && (!turns_round(port) || !masked()) &&
               shape[static_cast<std::size_t>(port.concat->axis)] == Dimension(1);
    }

    Output make(const BodyOutput& port) {
        const Output value = value_of(port);
        const std::size_t state = *state_of(value), cell = cell_of(state);
        if (port.concat) {
            Output y = sequences_[cell]->output(0);
            const HeldState* held = held_by(value);
            if (turns_round(port)) {
                y = make_reversal(rewriter_, y, ops::kTimeAxisOfY, by_.name("turned"));
            }
            if (held != nullptr && held->resets) {
                y = masked_->or_else(y, first_of(value));
            } else if (masked_) {
                y = masked_->spread(y, first_of(value));
            }
            return make_all_steps(by_, y, static_cast<std::size_t>(port.concat->axis));
        }
        const bool is_hidden = state == step_.cells[cell].hidden();
        Output last = sequences_[cell]->output(is_hidden ? 1 : 2);
        // Rows of length 0 have zeros there.
        const Output first = masked_ ? first_of(value) : Output();
        if (first) last = masked_->last(last, first);
        return make_last_state(by_, last, value.shape());
    }

    Rewriter& rewriter_;
    Formula by_;
    ops::IteratedOp& loop_;
    const LoopStep& step_;
    std::optional<MaskedSteps> masked_;
    std::vector<NodePtr> sequences_;  // one for each cell
};

}  // namespace

std::string why_loop_stays(Graph& graph, ops::IteratedOp& loop) {
    std::string why;
    const auto step = read_loop_step(loop, &why);
    if (!step) return why;
    Rewriter rewriter(graph);
    const auto unmade = LoopRewriter(rewriter, loop, *step).unmade_outputs();
    if (!unmade.empty()) {
        return "its output " + std::to_string(unmade.front()) +
               " is no state, or not in one order, and needs more than H of each step";
    }
    return "it isn't certain that its states have as many rows as its inputs";
}

bool loops_to_sequences(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::IteratedOp>([&](const auto& loop) {
        if (const auto step = read_loop_step(*loop)) LoopRewriter(rewriter, *loop, *step).rewrite();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
