#include "transformations/pipelines.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/control/control_ops.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/lowering/passes.hpp"
#include "transformations/pass/pass_manager.hpp"
#include "transformations/recurrent/passes.hpp"
#include "transformations/recurrent/recognition/steps_to_sequences.hpp"
#include "transformations/simplify/merge_converts.hpp"
#include "transformations/simplify/passes.hpp"
#include "transformations/simplify/quantize_layers.hpp"
#include "transformations/streaming/make_streaming.hpp"
#include "transformations/streaming/passes.hpp"

namespace rondo::passes {
namespace {

// Not here, because nothing would be left for them to do:
// - removing dead nodes: a graph reaches only what its results need;
// - putting W, R, B and P in order: the ONNX frontend writes that as ops on the weights, which
//   fold_constants computes.
constexpr PassEntry kPortable[] = {
    {"start_states_with_rows", start_states_with_rows,
     "first: transposes and views between variables and layers still stand as they were written",
     kOutsideOfBodies},
    {"keep_compressed_weights", keep_compressed_weights,
     "before fold_constants, which would compute the matrices", kRepeatedOutsideOfBodies},
    {"sink_decompression", sink_decompression,
     "before fold_constants, which then puts 16-bit weights in order and keeps them so", kRepeated},
    {"fold_constants", fold_constants,
     "before all that follow: weights, axes and shapes become constants, which the other passes "
     "look for",
     kRepeatedOutsideOfBodies},
    {"unroll_if", unroll_if,
     "after fold_constants, which settles conditions; before all that look for neighbours",
     kRepeated},
    {"unroll_loop", unroll_loop, "likewise, where a trip count of one or none is settled",
     kRepeated},
    {"hoist_loop_invariants", hoist_loop_invariants,
     "before sink_constants, for weights that go round; the round before dropped the Identity "
     "nodes on their way",
     kRepeated},
    {"sink_constants", sink_constants,
     "after fold_constants, which makes constants of what bodies read; the next round folds them "
     "there",
     kRepeated},
    {"loop_concat_to_output", loop_concat_to_output,
     "after unroll_loop, which leaves loops that join the parts of no iteration; before "
     "loops_to_sequences, which takes outputs that are joined",
     kRepeated},
    {"loops_to_sequences", loops_to_sequences,
     "after sink_constants, which brings the weights into the bodies", kRepeated},
    {"remove_copy_loops", remove_copy_loops,
     "after loops_to_sequences, which leaves a loop of what isn't a cell", kRepeated},
    {"steps_to_sequences", steps_to_sequences,
     "after fold_constants and loops_to_sequences, for cells of several steps in a body",
     kRepeated},
    {"batch_equal_ops", batch_equal_ops,
     "after steps_to_sequences, which reads products of single steps too; the next round sees the "
     "parts of the result",
     kRepeated},
    {"reversals_to_slices", reversals_to_slices,
     "after fold_constants, which settles lengths and indices; the passes that make sequences know "
     "all forms",
     kRepeated},
    {"fuse_reverse_into_sequence", fuse_reverse_into_sequence,
     "after the passes that make sequences; before those that look for their neighbours",
     kRepeated},
    {"join_directions", join_directions,
     "after fuse_reverse_into_sequence, which makes the reverse one; both must read the same X",
     kRepeated},
    {"fold_linear_layers", fold_linear_layers,
     "after join_directions: the sequences of both directions then read the linear layer as one",
     kRepeated},
    {"take_last_states", take_last_states,
     "after join_directions, which looks for sequences whose Y is read in a plain way", kRepeated},
    {"simplify_extents", simplify_extents,
     "before share_equal_nodes: all layers then read the same extents of the same tensor",
     kRepeated},
    {"fold_shapes", fold_shapes,
     "after simplify_extents; shapes are inferred again behind it, and more extents are known",
     kRepeated},
    {"merge_splats", merge_splats,
     "after fold_shapes; before share_equal_nodes, which makes one node of the layers' zeros",
     kRepeated},
    {"remove_length_sort", remove_length_sort,
     "after fold_shapes and merge_splats: numbers of rows and zeros of states are then known",
     kRepeated},
    {"share_equal_nodes", share_equal_nodes,
     "before the passes on layout: two equal transposes of one tensor are moved as one", kRepeated},
    {"eliminate_no_ops", eliminate_no_ops,
     "before the passes on layout: what does nothing must not stand between their nodes",
     kRepeated},
    {"scatter_to_concat", scatter_to_concat,
     "after fold_constants, which settles the places; before cancel_slice_concat, which takes "
     "parts out of "
     "the join",
     kRepeated},
    {"cancel_slice_concat", cancel_slice_concat,
     "after share_equal_nodes: parts of equal cuts are then parts of one tensor", kRepeated},
    {"concat_to_transpose", concat_to_transpose,
     "after cancel_slice_concat; before the passes on layout, which merge the transposes that it "
     "makes",
     kRepeated},
    {"merge_converts", merge_converts,
     "before the passes on layout: less stands between their nodes; leaves views to merge_reshapes",
     kRepeated},
    {"merge_transposes", merge_transposes,
     "before cancel_transposes, which leaves neighbours to it", kRepeated},
    {"cancel_transposes", cancel_transposes,
     "stacked recurrent layers meet without transposes; leaves views to the next pass", kRepeated},
    {"merge_reshapes", merge_reshapes, "last of a round: the passes before it make views",
     kRepeated},
    {"cell_fusion",
     cell_fusion,
     "where all others have nothing left to do: what can be a sequence is one by then; not in "
     "bodies, whose loops take products out of the round",
     {.until_fixed_point = true, .in_bodies = false, .waits = true}},
};

constexpr PassEntry kForOpenvino[] = {
    {"bidirectional_sequence_decomposition", bidirectional_sequence_decomposition,
     "before the passes on sequences of one direction; some parts are standard ops already"},
    {"convert_sequence_to_cells", convert_sequence_to_cells,
     "before convert_sequence_to_tensor_iterator, which takes the long ones"},
    {"convert_sequence_to_tensor_iterator", convert_sequence_to_tensor_iterator,
     "before cell_decomposition: the loops hold cells"},
    {"cell_decomposition", cell_decomposition, "last of the lowering, also in bodies"},
    {"convert_tensor_iterator_to_loop", convert_tensor_iterator_to_loop,
     "after convert_sequence_to_tensor_iterator, whose loops may lie in others"},
    {"quantization_decomposition", quantization_decomposition, "anywhere before fold_lowered"},
    {"fold_lowered", fold_constants, "weights are cut into gates and directions",
     kRepeatedOutsideOfBodies},
    {"sink_lowered", sink_constants, "the loops' weights; the next round folds them there",
     kRepeated},
    {"keep_names_of_inputs", keep_names_of_inputs,
     "after all passes that remove what changes nothing", kOutsideOfBodies},
};

std::vector<PassEntry> entries_for(const std::string& reader) {
    std::vector<PassEntry> entries(std::begin(kPortable), std::end(kPortable));
    if (reader.empty()) return entries;
    if (reader != "openvino") {
        throw ModelError("there is no reader '" + reader + "'; there is 'openvino'");
    }
    entries.insert(entries.end(), std::begin(kForOpenvino), std::end(kForOpenvino));
    return entries;
}

}  // namespace

std::span<const PassEntry> passes_for_openvino() { return kForOpenvino; }

std::span<const PassEntry> portable_passes() { return kPortable; }

std::vector<std::string> portable_pass_names() {
    std::vector<std::string> names;
    for (const auto& pass : kPortable) names.emplace_back(pass.name);
    return names;
}

namespace {

// A body's ops are named as in "loop/add".
void explain_rest(Graph& graph, const std::string& prefix, const TransformOptions& options) {
    for (const auto& steps : why_steps_stay(graph)) {
        for (const auto& name : steps.nodes) options.explain(prefix + name, steps.why);
    }
    for (const auto& node : graph.ordered_nodes()) {
        const std::string name = prefix + node->name();
        if (const auto loop = as<ops::IteratedOp>(node)) {
            options.explain(name, why_loop_stays(graph, *loop));
        }
        for (const auto& body : node->bodies()) explain_rest(*body, name + "/", options);
    }
}

// What passes have computed from the extents of inputs stays.
void fix_extents(Graph& graph) {
    graph.rt_info()[kFixedExtents] = "true";
    graph.set_origin(nullptr);
}

// Shapes that are computed become known. Where frames are fixed, no more is done: views of extents
// of 1 show which of them is time.
void prepare_for_streaming(Graph& graph, const StreamingOptions& options) {
    bool is_open = true;
    const auto choices = time_axes(graph, options);
    for (const auto& [input, axis] : choices.front()) {
        is_open = is_open && !graph.parameters()[input]->output_shape(0)[axis].is_static();
    }
    if (is_open) {
        run_portable(graph, {});
        return;
    }
    const bool kept = keep_compressed_weights(graph);
    if (fold_constants(graph) || kept) fix_extents(graph);
}

}  // namespace

void run_make_streaming(Graph& graph, const StreamingOptions& options) {
    const auto copy = graph.clone();
    prepare_for_streaming(*copy, options);
    make_streaming(*copy, options);
    graph.take(*copy);
    graph.set_origin(nullptr);
}

std::vector<LayerQuantization> run_quantize(Graph& graph, const QuantizationOptions& options) {
    if (options.keep.empty()) {
        check_quantization(graph, options);
    } else {  // names are those that the passes leave
        const auto trial = graph.clone();
        run_portable(*trial, {});
        check_quantization(*trial, options);
    }
    run_portable(graph, {});
    return quantize_layers(graph, options);
}

void run_portable(Graph& graph, const TransformOptions& options, const Deadline& deadline) {
    const auto entries = entries_for(options.reader);
    const bool changed = run_passes(graph, entries, options, deadline);
    if (changed) fix_extents(graph);
    if (options.explain) explain_rest(graph, "", options);
    if (!options.reader.empty() && options.stop_after.empty()) refuse_own_ops(graph);
}

}  // namespace rondo::passes
