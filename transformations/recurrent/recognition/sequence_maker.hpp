// Makes a sequence op of a recognised cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/recurrent/recognition/recognise_cell.hpp"

namespace rondo::passes {

/// Whether a tensor with rows and steps in its first two axes certainly has those of an input.
bool has_steps_of(const Output& tensor, std::size_t time_axis, const StepInput& input);

class MaskedSteps;

/// What a sequence is made from, besides the cell.
struct SequenceRequest {
    std::string name;
    std::vector<StepInput> inputs;  ///< the cell's inputs are some of them, by number
    std::vector<Output> states;     ///< the first ones, [N,H] or with axes of extent 1, by number
    bool reverse = false;
    MaskedSteps* masked = nullptr;  ///< where rows take some steps only, in front of the others
};

/// Makes the op of a cell. Its inputs are `inputs`, followed by its weights.
NodePtr make_op(Formula& by, const std::string& name, const CellFormula& cell,
                ops::RecurrentAttributes attributes, bool is_sequence, std::vector<Output> inputs);

/// Makes the sequence: Y [N,1,T,H], Ho [N,1,H] and, of an LSTM, Co. Returns null if inputs and
/// states can't have the same rows. If that isn't certain, a run checks it.
NodePtr make_sequence(Rewriter& rewriter, const CellFormula& cell, const SequenceRequest& request);

/// Whether all elements of a value are certainly 0.
bool is_zero_state(const Output& state);

/// Whether a state before the first step may have the rows of an input, or one row that is
/// broadcast to them. Zeros must have them for certain: nothing checks them any more.
bool fits_rows(const Output& state, const StepInput& input);

/// Whether a state's rows are in the last axis but one, all axes before it being of extent 1, and
/// its units in the last one.
bool has_rows_of(const PartialShape& shape, std::int64_t units);

/// The axis of a state's rows: the only one besides the last that isn't of extent 1; of several
/// such axes of extent 1, the last but one.
std::optional<std::size_t> row_axis(const PartialShape& shape);

/// Y or a state of the sequence in the shape [N,T,H] or [T,N,H], or of a state `like`, which has a
/// row axis.
Output make_all_steps(Formula& by, const Output& y, std::size_t time_axis);
Output make_last_state(Formula& by, const Output& state, const PartialShape& like);

}  // namespace rondo::passes
