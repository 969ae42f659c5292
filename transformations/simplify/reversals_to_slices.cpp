#include "transformations/simplify/passes.hpp"

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// Extents are read from a shape by Gathers, in any order: the form that make_shape() gives them.
bool reads_shape(const Node& node) {
    return node.input_count() > 0 && as_op<ops::ShapeOf>(node.input(0).node()) != nullptr;
}

}  // namespace

bool reversals_to_slices(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        if (as_op<ops::Slice>(*node) != nullptr || reads_shape(*node)) return;
        const auto axis = reversed_axis(*node);
        if (!axis) return;
        const auto slice = make_reversal(rewriter, node->input(0), *axis, node->name());
        rewriter.replace(node->output(0), slice->output(0));
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
