#include "transformations/pipelines.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/control/iterated_op.hpp"
#include "core/runtime/frontend.hpp"
#include "transformations/common/cancel_transposes.hpp"
#include "transformations/common/eliminate_no_ops.hpp"
#include "transformations/common/fold_constants.hpp"
#include "transformations/common/merge_reshapes.hpp"
#include "transformations/common/merge_transposes.hpp"
#include "transformations/common/share_equal_nodes.hpp"
#include "transformations/common/simplify_extents.hpp"
#include "transformations/common/sink_constants.hpp"
#include "transformations/common/sink_decompression.hpp"
#include "transformations/common/stop_carrying.hpp"
#include "transformations/common/unroll_if.hpp"
#include "transformations/common/unroll_loop.hpp"
#include "transformations/pass/pass_manager.hpp"
#include "transformations/precision/merge_converts.hpp"
#include "transformations/recurrent/join_directions.hpp"
#include "transformations/recurrent/loops_to_sequences.hpp"
#include "transformations/recurrent/steps_to_sequences.hpp"
#include "transformations/recurrent/take_in_reversals.hpp"
#include "transformations/recurrent/unsort_rows.hpp"
#include "transformations/shapes/merge_splats.hpp"
#include "transformations/shapes/settle_shapes.hpp"

namespace rondo::passes {
namespace {

// Not here, because nothing would be left for them to do:
// - removing dead nodes: a graph reaches only what its results need;
// - putting W, R, B and P in order: the ONNX frontend writes that as ops on the weights, which
//   fold_constants computes.
constexpr PassEntry kPortable[] = {
    {"sink_decompression", sink_decompression,
     "before fold_constants, which then puts 16-bit weights in order and keeps them so", true},
    {"fold_constants", fold_constants,
     "before all that follow: weights, axes and shapes become constants, which the other passes "
     "look for",
     true},
    {"unroll_if", unroll_if,
     "after fold_constants, which settles conditions; before all that look for neighbours", true},
    {"unroll_loop", unroll_loop, "likewise, where a trip count of one or none is settled", true},
    {"stop_carrying", stop_carrying,
     "before sink_constants, for weights that go round; the round before dropped the Identity "
     "nodes on their way",
     true},
    {"sink_constants", sink_constants,
     "after fold_constants, which makes constants of what bodies read; the next round folds them "
     "there",
     true},
    {"loops_to_sequences", loops_to_sequences,
     "after sink_constants, which brings the weights into the bodies", true},
    {"steps_to_sequences", steps_to_sequences,
     "after fold_constants and loops_to_sequences, for cells of several steps in a body", true},
    {"take_in_reversals", take_in_reversals,
     "after the passes that make sequences; before those that look for their neighbours", true},
    {"join_directions", join_directions,
     "after take_in_reversals, which makes the reverse one; both must read the same X", true},
    {"simplify_extents", simplify_extents,
     "before share_equal_nodes: all layers then read the same extents of the same tensor", true},
    {"settle_shapes", settle_shapes,
     "after simplify_extents; shapes are inferred again behind it, and more extents are known",
     true},
    {"merge_splats", merge_splats,
     "after settle_shapes; before share_equal_nodes, which makes one node of the layers' zeros",
     true},
    {"unsort_rows", unsort_rows,
     "after settle_shapes and merge_splats: numbers of rows and zeros of states are then known",
     true},
    {"share_equal_nodes", share_equal_nodes,
     "before the passes on layout: two equal transposes of one tensor are moved as one", true},
    {"eliminate_no_ops", eliminate_no_ops,
     "before the passes on layout: what does nothing must not stand between their nodes", true},
    {"merge_converts", merge_converts,
     "before the passes on layout: less stands between their nodes; leaves views to merge_reshapes",
     true},
    {"merge_transposes", merge_transposes,
     "before cancel_transposes, which leaves neighbours to it", true},
    {"cancel_transposes", cancel_transposes,
     "stacked recurrent layers meet without transposes; leaves views to the next pass", true},
    {"merge_reshapes", merge_reshapes, "last of a round: the passes before it make views", true},
};

}  // namespace

std::span<const PassEntry> portable_passes() { return kPortable; }

std::vector<std::string> portable_pass_names() {
    std::vector<std::string> names;
    for (const auto& pass : kPortable) names.emplace_back(pass.name);
    return names;
}

}  // namespace rondo::passes

namespace rondo {

namespace {

// A body's ops are named as in "loop/add".
void explain_loops(Graph& graph, const std::string& prefix, const TransformOptions& options) {
    for (const auto& node : graph.ordered_nodes()) {
        const std::string name = prefix + node->name();
        if (const auto loop = as<ops::IteratedOp>(node)) {
            options.explain(name, passes::why_loop_stays(graph, *loop));
        }
        for (const auto& body : node->bodies()) explain_loops(*body, name + "/", options);
    }
}

}  // namespace

void run_portable_passes(Graph& graph, const TransformOptions& options) {
    const bool changed = passes::run_passes(graph, passes::portable_passes(), options);
    if (changed) graph.rt_info()[kFixedExtents] = "true";
    if (options.explain) explain_loops(graph, "", options);
}

}  // namespace rondo
