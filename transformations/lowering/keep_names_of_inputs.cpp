#include "transformations/lowering/passes.hpp"

#include <set>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

bool keep_names_of_inputs(Graph& graph) {
    Rewriter rewriter(graph);
    bool changed = false;
    std::set<std::pair<const Node*, std::size_t>> seen;
    for (const auto& result : graph.results()) {
        const Output source = result->input(0);
        const bool is_input = is_parameter(source);
        const bool is_first = seen.insert({&source.node(), source.index()}).second;
        if ((!is_input && is_first) || result->output(0).names().empty()) continue;
        result->set_input(0, rewriter.make<ops::Convert>(result->name() + "/value", source,
                                                         source.element_type()));
        changed = true;
    }
    return changed;
}

}  // namespace rondo::passes
