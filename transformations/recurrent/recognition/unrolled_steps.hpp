// Finds chains of equal recurrent steps that are written out one after another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/recurrent/recognition/recognise_cell.hpp"

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

/// What kept parts of a tensor from being steps of a cell: of all attempts, the one that came
/// furthest.
struct StepDoubt {
    int stage = -1;  ///< how far it came
    std::string why;
};

/// The chain over the parts of `input`. Returns nothing if there is none; then `doubt`, if it isn't
/// null, gets the reason.
std::optional<UnrolledSteps> read_unrolled_steps(const Graph& graph, const StepInput& input,
                                                 bool reverse, StepDoubt* doubt = nullptr);

/// The names of the nodes that need some of the parts of `input` from either end, but not all.
std::vector<std::string> nodes_of_steps(const Graph& graph, const StepInput& input);

}  // namespace rondo::passes
