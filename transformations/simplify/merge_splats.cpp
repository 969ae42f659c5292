#include "transformations/simplify/passes.hpp"

#include <algorithm>

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/analysis/splats.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

bool is_splat(Node& node) { return node.output_count() == 1 && splat_of(node.output(0)); }

// Something reads it that isn't part of the same chain.
bool ends_chain(const Output& output) {
    const auto& readers = output.consumers();
    return std::any_of(readers.begin(), readers.end(),
                       [](const Consumer& reader) { return !is_splat(*reader.node); });
}

void merge(Node& node, Rewriter& rewriter) {
    if (node.input_count() == 0 || node.output_count() != 1) return;
    if (as_op<ops::Broadcast>(node) != nullptr || !is_floating(node.output_type(0))) return;
    const Output output = node.output(0);
    const auto splat = splat_of(output);
    if (!splat || !ends_chain(output)) return;
    const std::string& name = node.name();
    const Output value = rewriter.make_constant(name + "/value", splat->value.reshaped({}));
    rewriter.replace(output,
                     rewriter.make<ops::Broadcast>(
                         name, value, make_shape(rewriter, splat->extents, name + "/shape")));
}

}  // namespace

bool merge_splats(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) { merge(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
