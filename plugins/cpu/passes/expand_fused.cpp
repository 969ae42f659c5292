#include "plugins/cpu/passes/expand_fused.hpp"

#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/stored_weights.hpp"

namespace rondo::cpu {
namespace {

Output convert_of(const StoredWeights& stored) {
    const auto convert = make_node<ops::Convert>(stored.input(0), stored.destination_type());
    convert->set_name(stored.name());
    convert->rt_info() = stored.rt_info();
    return convert;
}

}  // namespace

bool expand_fused(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        Output original;
        if (const auto fused = as<FusedOp>(node)) original = fused->expanded();
        if (const auto stored = as<StoredWeights>(node)) original = convert_of(*stored);
        if (!original) continue;
        node->output(0).replace_with(original);
        changed = true;
    }
    return changed;
}

}  // namespace rondo::cpu
