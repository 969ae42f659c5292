#include "transformations/streaming/passes.hpp"

#include <optional>
#include <set>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/streaming/state_starts.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

// The only axis whose extent is open.
std::optional<std::size_t> open_axis(const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i].is_static()) continue;
        if (found) return {};
        found = i;
    }
    return found;
}

// Whether the port is that of an initial state whose rows alone are open.
bool takes_rows(const RecurrentOp& op, std::size_t port) {
    const bool is_state = port == op.h_port() || port == op.c_port();
    return is_state && open_axis(op.input(port).shape()) == std::size_t{0};
}

// The layer that starts from the variable, or from elements that were only moved and converted, and
// whose X doesn't depend on it.
const RecurrentOp* layer_of(Node& variable) {
    std::vector<Output> open{variable.output(0)};
    std::set<const Node*> seen;
    while (!open.empty()) {
        const Output value = open.back();
        open.pop_back();
        for (const Consumer& reader : value.consumers()) {
            Node& node = *reader.node;
            const auto* op = as_op<RecurrentOp>(node);
            const bool starts = op != nullptr && takes_rows(*op, reader.input) &&
                                !depends_on({op->input(op->x_port())}, variable);
            if (starts) return op;
            const bool moves = moved_or_converted_inputs(node) != 0 && seen.insert(&node).second;
            for (std::size_t i = 0; moves && i < node.output_count(); ++i) {
                open.push_back(node.output(i));
            }
        }
    }
    return nullptr;
}

Output zeros(Rewriter& rewriter, const Node& variable, const RecurrentOp& layer, std::size_t rows) {
    std::vector<ShapeElement> extents;
    const PartialShape& wanted = variable.output_shape(0);
    for (std::size_t i = 0; i < wanted.rank(); ++i) {
        extents.push_back(i == rows ? extent_element(layer.input(layer.x_port()), 0)
                                    : ShapeElement{wanted[i].length()});
    }
    return make_zeros(rewriter, variable.name(), variable.output_type(0), extents);
}

}  // namespace

bool start_states_with_rows(Graph& graph) {
    Rewriter rewriter(graph);
    bool changed = false;
    rewriter.for_each<ops::ReadValue>([&](const auto& variable) {
        const auto rows = open_axis(variable->output_shape(0));
        if (variable->has_init() || !rows) return;
        const RecurrentOp* layer = layer_of(*variable);
        if (layer == nullptr) return;
        variable->set_inputs({zeros(rewriter, *variable, *layer, *rows)});
        changed = true;
    });
    return changed;
}

}  // namespace rondo::passes
