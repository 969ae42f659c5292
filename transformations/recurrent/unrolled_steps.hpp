// Finds chains of equal recurrent steps that are written out one after another.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/cells/cell_formula.hpp"
#include "transformations/recurrent/sequence_maker.hpp"

namespace rondo::passes {

/// A cell that is written out once for each step of its input.
struct UnrolledSteps {
    CellFormula cell;
    std::vector<StepInput> inputs;  ///< by number
    std::vector<Output> first;      ///< states before the first step, by number; none: zeros
    std::vector<Output> zeros;      ///< what these zeros were
    std::vector<std::vector<Output>> states;  ///< after each step, in the order of steps
    bool reverse = false;                     ///< from the last step of the input to the first
    std::size_t skipped = 0;                  ///< 1: the first step is another cell
};

/// The chain over the parts of `input`; nothing where there is none.
std::optional<UnrolledSteps> read_unrolled_steps(const Graph& graph, const StepInput& input,
                                                 bool reverse);

}  // namespace rondo::passes
