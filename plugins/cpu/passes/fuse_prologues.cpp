#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>

#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/fused_parts.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

// True if a reduction's axes are constants and the last ones of `rank`, so that the elements of a
// result lie side by side.
bool reduces_last_axes(const ops::Reduce& op, std::size_t rank) {
    const auto given = passes::constant_ints(op.input(1));
    const auto axes = given ? passes::normalized_axes(*given, rank) : std::nullopt;
    if (!axes || axes->empty()) return false;
    const std::size_t first = *std::min_element(axes->begin(), axes->end());
    for (std::size_t axis = first; axis < rank; ++axis) {
        if (std::find(axes->begin(), axes->end(), axis) == axes->end()) return false;
    }
    return true;
}

bool reduces_rows(const Node& node, std::size_t rank) {
    if (const auto* reduce = as_op<ops::Reduce>(node)) return reduces_last_axes(*reduce, rank);
    const auto* softmax = as_op<ops::SoftmaxBase>(node);
    if (softmax == nullptr) return false;
    const auto axes = passes::normalized_axes({softmax->axis()}, rank);
    return axes && axes->front() + 1 == rank;
}

bool fits_reduction(const Node& elementwise, const Node& reduction) {
    const ElementType type = elementwise.output_type(0);
    if (type != ElementType::f32 && type != ElementType::f64) return false;
    if (as_op<FusedElementwise>(elementwise) == nullptr && !step_of(elementwise)) return false;
    const PartialShape& shape = elementwise.output_shape(0);
    return shape.has_rank() && elementwise.consumers(0).size() == 1 &&
           reduces_rows(reduction, shape.rank()) && program_of(elementwise).has_value();
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
