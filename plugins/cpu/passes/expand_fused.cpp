#include "plugins/cpu/passes/passes.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {
namespace {

Output convert_of(const StoredWeights& stored) {
    const auto convert = make_node<ops::Convert>(stored.input(0), stored.destination_type());
    convert->set_name(stored.name());
    convert->rt_info() = stored.rt_info();
    return convert;
}

Output product_of(const ScaledWeights& scaled) {
    const auto wide = make_node<ops::Convert>(scaled.input(0), ElementType::f32);
    wide->set_name(scaled.name() + "/f32");
    wide->rt_info()[kDecompression] = "";  // the integers stay integers where this is compiled
    const auto product =
        make_node<ops::Binary>(ops::BinaryFunction::multiply, wide, scaled.input(1));
    product->set_name(scaled.name());
    product->rt_info() = scaled.rt_info();
    return product;
}

}  // namespace

bool expand_fused(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        Output original;
        if (const auto fused = as<FusedOp>(node)) original = fused->expanded();
        if (const auto stored = as<StoredWeights>(node)) original = convert_of(*stored);
        if (const auto scaled = as<ScaledWeights>(node)) original = product_of(*scaled);
        if (!original) continue;
        node->output(0).replace_with(original);
        changed = true;
    }
    return changed;
}

}  // namespace rondo::cpu
