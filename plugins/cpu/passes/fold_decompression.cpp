#include "plugins/cpu/passes/fold_decompression.hpp"

#include <array>

#include "core/ops/constant.hpp"
#include "core/ops/convert.hpp"
#include "core/ops/reference/evaluate.hpp"

namespace rondo::cpu {

bool fold_decompression(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        if (!as<ops::Convert>(node)) continue;
        const Tensor value = node->input(0).node().known_value(node->input(0).index());
        if (!value) continue;
        const std::array inputs{value.contiguous()};
        auto constant = make_node<ops::Constant>(reference::evaluate(*node, inputs).front());
        constant->set_name(node->name());
        node->output(0).replace_with(constant);
        changed = true;
    }
    return changed;
}

}  // namespace rondo::cpu
