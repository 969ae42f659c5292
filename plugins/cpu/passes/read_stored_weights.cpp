#include "plugins/cpu/passes/passes.hpp"

#include "plugins/cpu/ops/scaled_weights.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {

bool read_stored_weights(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<ops::Convert>([&](const std::shared_ptr<ops::Convert>& convert) {
        if (as<StoredWeights>(NodePtr(convert)) || !passes::is_read_as_stored(*convert)) return;
        const auto stored = rewriter.make<StoredWeights>(convert->name(), convert->input(0),
                                                         convert->destination_type());
        rewriter.replace(convert->output(0), stored);
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
