// Reads the body of a loop as a recurrent step.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/recognition/recognise_cell.hpp"
#include "transformations/recurrent/recognition/step_mask.hpp"

namespace rondo::passes {

/// A loop-carried value that is a state of a cell.
struct LoopState {
    Output first;  ///< around the loop
    Output now;    ///< in the body: the parameter
    Output next;   ///< in the body
    Output taken;  ///< the same without a mask: what the cell computes
    Output reset;  ///< around the loop: what a mask makes of it, rather than keep it; or empty
};

/// What a cell reads in each step: a part of a tensor, or what another cell has just computed.
struct CellSource {
    StepInput part;                   ///< its tensor is empty where there is a cell
    std::optional<std::size_t> cell;  ///< by number
    friend bool operator==(const CellSource&, const CellSource&) = default;
};

struct LoopCell {
    CellFormula formula;
    std::vector<CellSource> inputs;   ///< by the formula's numbers
    std::vector<std::size_t> states;  ///< of the loop, by the formula's numbers

    /// The state that is the cell's output.
    std::size_t hidden() const { return states[formula.hidden_state]; }
};

/// A loop-carried value that no cell reads. In the rows that take a step by the mask it becomes the
/// state number `state`. In the others it stays what it was or, if it `resets`, becomes `first`.
struct HeldState {
    Output first;  ///< around the loop
    Output next;   ///< in the body
    std::size_t state = 0;
    bool resets = false;
};

/// A loop that runs a cell, or several one after the other, over all steps of its inputs, in order.
struct LoopStep {
    std::vector<LoopCell> cells;    ///< each may read the outputs of those before it
    std::vector<LoopState> states;  ///< by number
    std::vector<HeldState> held;
    std::optional<StepMask> mask;  ///< which rows take a step; all do where there is none
    bool reverse = false;
};

/// The parts that the cells read.
std::vector<StepInput> inputs_of(const LoopStep& step);

/// Returns nothing if the body is no cell, or if it isn't certain that it runs once for each step;
/// then `why`, if it isn't null, gets the reason.
std::optional<LoopStep> read_loop_step(const ops::IteratedOp& loop, std::string* why = nullptr);

/// The loop without its cells: it reads what the sequences give in each step, and its outputs are
/// `outputs` of the loop, in that order. Null where one of them needs C, which no sequence gives
/// for each step, or where it isn't known how the body finds its part of an input. `sequences`: one
/// for each cell, of all rows in each step.
std::shared_ptr<ops::IteratedOp> make_residual_loop(Rewriter& rewriter, const ops::IteratedOp& loop,
                                                    const LoopStep& step,
                                                    std::span<const NodePtr> sequences,
                                                    std::span<const std::size_t> outputs);

}  // namespace rondo::passes
