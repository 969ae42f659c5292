// Steps that a mask leaves out: a row keeps its states where the mask says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transformations/analysis/loop_run.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {

/// Which rows take a step: a tensor around a loop, [T,N,1], [N,T,1], [T,N] or [N,T], of which each
/// step reads one element a row.
struct StepMask {
    Output tensor;  ///< of booleans
    std::size_t time_axis = 0;
    bool skips = false;  ///< true leaves the step out, rather than taking it
    friend bool operator==(const StepMask&, const StepMask&) = default;
};

/// A value that a mask chooses for each row.
struct MaskedValue {
    Output where_true;
    Output where_false;
    StepMask mask;
};

/// Reads a Select by a mask, or m * a + (1 - m) * b, as exporters spell it. Nothing for other
/// values.
std::optional<MaskedValue> masked_value(const Output& value, const LoopRun& run);

/// Puts the steps that rows take in front of the others, row by row, in order.
class MaskedSteps {
public:
    /// `name`: a prefix of the new nodes' names.
    MaskedSteps(Rewriter& rewriter, const StepMask& mask, std::string name);

    /// How many steps each row takes, [N] of i32.
    Output lengths();
    /// The steps of x [N,T,I] that rows take, then others.
    Output taken(const Output& x);
    /// What y [N,1,T,H] of the taken steps is at all steps: where a row doesn't take one, what it
    /// was before. `first`: what it is until the first one, [N,H]; empty for zeros.
    Output spread(const Output& y, const Output& first);
    /// The same, but `other` [N,H] where a row doesn't take a step; empty for zeros.
    Output or_else(const Output& y, const Output& other);
    /// `last` [N,1,H], but `first` in rows that take no step.
    Output last(const Output& last, const Output& first);

private:
    Output chosen(const Output& is_taken, const Output& y, const Output& rows);
    Output rows_of(const Output& first);
    Output above_zero(const Output& counts, const std::vector<std::int64_t>& axes);

    Formula by_;
    Output takes_;   // [N,T] of booleans
    Output steps_;   // [N,T]: 1 where one is taken, else 0
    Output counts_;  // [N,T]: steps taken so far
    Output order_;   // [N,T]: the place of each step that is taken
};

}  // namespace rondo::passes
