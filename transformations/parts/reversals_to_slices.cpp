#include "transformations/parts/reversals_to_slices.hpp"

#include "core/ops/movement/slice.hpp"
#include "transformations/parts/reversed_axis.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
bool reversals_to_slices(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        const auto axis = reversed_axis(*node);
        if (!axis || as_op<ops::Slice>(*node) != nullptr) return;
        const auto slice = make_reversal(rewriter, node->input(0), *axis, node->name());
        rewriter.replace(node->output(0), slice->output(0));
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
