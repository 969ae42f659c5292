#include "plugins/cpu/passes/passes.hpp"

#include "core/ops/reduction/reduction_ops.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/fused_parts.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

bool fits_reduction(const Node& elementwise, const Node& reduction) {
    const ElementType type = elementwise.output_type(0);
    if (type != ElementType::f32 && type != ElementType::f64) return false;
    if (as_op<FusedElementwise>(elementwise) == nullptr && !step_of(elementwise)) return false;
    const PartialShape& shape = elementwise.output_shape(0);
    // The elements of a result lie side by side.
    return shape.has_rank() && elementwise.consumers(0).size() == 1 &&
           passes::names_last_axes(reduction) && program_of(elementwise).has_value();
}

}  // namespace

bool fuse_prologues(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        if (as_op<ops::Reduce>(*node) == nullptr && as_op<ops::SoftmaxBase>(*node) == nullptr) {
            return;
        }
        if (!fits_reduction(node->input(0).node(), *node)) return;
        FusedParts fused;
        fused.add(node->input(0).node());
        fused.add(*node);
        rewriter.replace(node->output(0), rewriter.make<FusedReduction>(
                                              node->name(), fused.inputs(), fused.parts()));
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
