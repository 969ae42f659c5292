// Loops over a step, in the forms that exporters give them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

namespace rondo::test {

/// How a loop over a cell is written.
struct LoopForm {
    bool by_slices = false;  // TensorIterator
    bool reversed = false;   // of slices
    std::string x = "5,2,3";
    std::size_t time_axis = 0;
    bool given_states = false;
    std::string states = "2,4";
    bool own_counter = false;    // that is carried and is the index
    std::int64_t count_by = 1;   // what is added to it
    bool has_condition = false;  // counter + 1 < T, besides the trip count
    bool has_trip_count = true;
    std::int64_t less_steps = 0;
    bool reads_more = false;    // an output of H and of H before, in each step
    bool reads_cell = false;    // one of C
    bool gives_number = false;  // an output that no input decides
};

/// Outputs: the last states, and H of all steps; where the form asks for it, more.
std::shared_ptr<Graph> loop_over(const CellSpelling& spelling, LoopForm form);

}  // namespace rondo::test
