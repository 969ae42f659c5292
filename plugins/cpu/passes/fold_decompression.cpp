#include "plugins/cpu/passes/fold_decompression.hpp"

#include <array>

#include "core/ops/constant.hpp"
#include "core/ops/convert.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

// Those that don't read the constant before the Convert.
std::vector<Consumer> readers_to_serve(const Node& convert) {
    std::vector<Consumer> readers = convert.consumers(0);
    std::erase_if(readers, [](const Consumer& reader) {
        return passes::reads_stored_weights(*reader.node, reader.input);
    });
    return readers;
}

}  // namespace

bool fold_decompression(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        if (!as<ops::Convert>(node)) continue;
        const Tensor value = node->input(0).node().known_value(node->input(0).index());
        if (!value) continue;
        const auto readers = readers_to_serve(*node);
        if (readers.empty()) continue;
        const std::array inputs{value.contiguous()};
        auto constant = make_node<ops::Constant>(reference::evaluate(*node, inputs).front());
        if (readers.size() == node->consumers(0).size()) {
            constant->set_name(node->name());
            node->output(0).replace_with(constant);
        } else {
            constant->set_name(node->name() + "_f32");
            for (const Consumer& reader : readers) reader.node->set_input(reader.input, constant);
        }
        changed = true;
    }
    return changed;
}

}  // namespace rondo::cpu
