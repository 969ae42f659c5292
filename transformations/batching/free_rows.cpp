#include "transformations/batching/passes.hpp"

#include <algorithm>
#include <vector>

#include "core/ops/reduction/reduction_ops.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// Whether the scalar meets only tensors of that rank, perhaps after some arithmetic on scalars:
// then it may have as many axes of extent 1.
bool may_have_rank(const Output& scalar, std::size_t rank) {
    std::vector<Output> open{scalar};
    while (!open.empty()) {
        const Output value = open.back();
        open.pop_back();
        for (const Consumer& consumer : value.consumers()) {
            Node& reader = *consumer.node;
            if (!reader.traits().elementwise || !reader.output_shape(0).has_rank()) return false;
            const std::size_t result = reader.output_shape(0).rank();
            if (result == 0) {
                open.emplace_back(reader.shared_from_this(), 0);
            } else if (result != rank) {
                return false;
            }
        }
    }
    return !scalar.consumers().empty();
}

// The axes of extent 1 change nothing in a reduction that has others.
bool free_reduction(const std::shared_ptr<ops::Reduce>& node, Rewriter& rewriter) {
    const PartialShape& data = node->input(0).shape();
    const auto axes = named_axes(*node);
    if (!axes) return false;
    Ints kept;
    for (const std::size_t axis : *axes) {
        if (data[axis] != Dimension(1)) kept.push_back(static_cast<std::int64_t>(axis));
    }
    const bool to_scalar = !node->keep_dims() && axes->size() == data.rank();
    if (kept.empty() || kept.size() == axes->size() || (!node->keep_dims() && !to_scalar)) {
        return false;
    }
    if (to_scalar && !may_have_rank(Output(node, 0), data.rank())) return false;
    rewriter.replace(node->output(0), rewriter.make<ops::Reduce>(
                                          node->name(), node->function(), node->input(0),
                                          rewriter.make_ints(node->name() + "/axes", kept), true));
    return true;
}

}  // namespace

bool free_rows(Graph& graph) {
    bool changed = false;
    for_each_graph(graph, [&](Graph& part) {
        changed = scatter_to_concat(part) || changed;
        Rewriter rewriter(part);
        rewriter.for_each<ops::Reduce>(
            [&](const auto& node) { changed = free_reduction(node, rewriter) || changed; });
    });
    if (changed) graph.validate();
    return changed;
}

}  // namespace rondo::passes
