#include "plugins/cpu/passes/passes.hpp"

#include <array>

#include "core/graph/origins.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/recurrent/stored_weights.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::cpu {
namespace {

using TakesNarrow = bool (*)(const Node& reader, std::size_t port);

// W or R of a recurrent layer, which may be able to widen them itself.
bool is_weight_port(const Node& reader, std::size_t port) {
    const auto* op = dynamic_cast<const ops::RecurrentOp*>(&reader);
    return op != nullptr && (port == op->w_port() || port == op->r_port());
}

// Those that don't read the constant before the Convert.
Consumers readers_to_serve(const Node& convert, TakesNarrow takes_narrow) {
    Consumers readers = convert.consumers(0);
    std::erase_if(readers,
                  [&](const Consumer& reader) { return takes_narrow(*reader.node, reader.input); });
    return readers;
}

bool fold_converts_of(Graph& graph, TakesNarrow takes_narrow) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        if (!as<ops::Convert>(node)) continue;
        const Tensor value = known_value(node->input(0));
        if (!value) continue;
        const auto readers = readers_to_serve(*node, takes_narrow);
        if (readers.empty()) continue;
        const std::array inputs{value.contiguous()};
        auto constant = make_node<ops::Constant>(reference::evaluate(*node, inputs).front());
        if (readers.size() == node->consumers(0).size()) {
            stand_for(*constant, *node);
            node->output(0).replace_with(constant);
        } else {
            constant->set_name(node->name() + "_f32");
            for (const Consumer& reader : readers) reader.node->set_input(reader.input, constant);
        }
        changed = true;
    }
    return changed;
}

bool fold_converts(Graph& graph, TakesNarrow takes_narrow) {
    bool changed = false;
    for_each_graph(graph, [&](Graph& part) { changed |= fold_converts_of(part, takes_narrow); });
    return changed;
}

// Computes what is constant now. The Converts left on constants, those before W and R, stay.
void fold_behind_converts(Graph& graph) {
    graph.validate();
    for_each_graph(graph, [&](Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto convert = as<ops::Convert>(node);
            if (!convert || !passes::is_constant(convert->input(0))) continue;
            convert->rt_info()[kDecompression] = "";  // what fold_constants leaves alone
        }
    });
    passes::fold_constants(graph);
    graph.validate();
}

}  // namespace

bool fold_decompression(Graph& graph) {
    // Biases are sums of halves, and only a layer whose biases are constants widens W and R itself.
    const bool widened = fold_converts(graph, is_weight_port);
    if (widened) fold_behind_converts(graph);
    return fold_converts(graph, passes::reads_stored_weights) || widened;
}

}  // namespace rondo::cpu
