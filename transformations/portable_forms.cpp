#include "transformations/pipelines.hpp"

namespace rondo::passes {
namespace {

constexpr PassForms kForms[] = {
    {"start_states_with_rows", "ReadValue of zeros with X's rows", "ReadValue with an init input"},
    {"keep_compressed_weights", "marked Convert below a large compressed matrix",
     "unmarked ones of others"},
    {"sink_decompression", "marked Convert behind what moves a constant",
     "marked Convert of a constant"},
    {"fold_constants", "constants",
     "marked Converts, large Broadcasts, recurrent ops of constants"},
    {"unroll_if", "the nodes of a branch", "If whose condition isn't constant"},
    {"unroll_loop", "the nodes of an iteration", "loops of more iterations, or of an open number"},
    {"hoist_loop_invariants", "values that a body gets whole", "values that iterations change"},
    {"sink_constants", "constants in bodies", "constants outside that no body gets whole"},
    {"loop_concat_to_output", "a loop's joined output, in a Reshape",
     "loops whose outputs are joined"},
    {"loops_to_sequences", "sequences, with Transposes and views", "loops without a cell"},
    {"remove_copy_loops", "Transpose of the input; Gather of its last part", "loops that compute"},
    {"steps_to_sequences", "sequences, with Transposes and views", "fewer than four steps"},
    {"batch_equal_ops", "one op; Gathers of its parts", "ops on fewer than three parts"},
    {"reversals_to_slices", "Slice with step -1", "Gather of a ShapeOf, in any order"},
    {"fuse_reverse_into_sequence", "a sequence of the other direction",
     "Slice with step -1 of others"},
    {"join_directions", "a sequence of both directions, with views", "sequences of unlike inputs"},
    {"fold_linear_layers", "other W and B", "layers that others read, or that get larger"},
    {"take_last_states", "views of Ho", "parts of Y inside of it"},
    {"simplify_extents", "Gather of the ShapeOf of the origin; constants",
     "Gather of a ShapeOf, in any order"},
    {"fold_shapes", "constants; targets of constants and Gathers of ShapeOf, joined",
     "patterns that are constant; such targets"},
    {"merge_splats", "Broadcast of a scalar, its target as fold_shapes leaves it",
     "Broadcasts of any target"},
    {"remove_length_sort", "rows in their order, without TopK and Gather",
     "rows that others read sorted"},
    {"share_equal_nodes", "the first of equal nodes", "equal constants"},
    {"eliminate_no_ops", "the input itself", "views that check their input"},
    {"scatter_to_concat", "Concat of Slices and updates", "ScatterNDUpdate of other places"},
    {"cancel_slice_concat", "a Slice, or the tensor itself",
     "Concat and cuts of parts in another order"},
    {"concat_to_transpose", "Transpose, then a Reshape", "Concat of some parts"},
    {"merge_converts", "one Convert, in front of views", "marked Converts; Converts that round"},
    {"merge_transposes", "one Transpose; Reshape where axes of 1 move", "Transposes between ops"},
    {"cancel_transposes", "fewer Transposes, higher up", "Transposes that cost no more elsewhere"},
    {"merge_reshapes", "one Reshape with a constant pattern", "chains with two open extents"},
    {"cell_fusion", "cells", "steps in bodies, and of sequences"},
};

}  // namespace

std::span<const PassForms> portable_forms() { return kForms; }

}  // namespace rondo::passes
