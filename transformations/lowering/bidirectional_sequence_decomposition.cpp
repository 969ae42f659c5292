#include "transformations/lowering/passes.hpp"

#include <array>
#include <string>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/lowering/sequence_parts.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

constexpr std::int64_t kStateAxis = 1;
constexpr std::int64_t kWeightsAxis = 0;

void take_apart(const std::shared_ptr<RecurrentOp>& op, Rewriter& rewriter) {
    Formula by(rewriter, op->name());
    std::array<std::vector<Output>, 2> inputs{op->inputs(), op->inputs()};
    for (std::size_t port = 0; port < op->input_count(); ++port) {
        if (port == op->x_port() || port == op->lengths_port()) continue;
        const std::int64_t axis = port < op->w_port() ? kStateAxis : kWeightsAxis;
        const auto parts = by.split(op->input(port), axis, 2);
        for (std::size_t d = 0; d < 2; ++d) inputs[d][port] = parts[d];
    }
    std::array<NodePtr, 2> made;
    for (std::size_t d = 0; d < 2; ++d) {
        const auto attributes = attributes_of_direction(*op, d);
        const std::string name = by.name(std::string(to_string(attributes.direction)));
        made[d] = by.recurrent_like(*op, name, attributes, inputs[d]);
    }
    for (std::size_t i = 0; i < op->output_count(); ++i) {
        if (op->output(i).consumers().empty()) continue;
        rewriter.replace(op->output(i),
                         by.concat({made[0]->output(i), made[1]->output(i)}, kStateAxis));
    }
}

}  // namespace

bool bidirectional_sequence_decomposition(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) {
        if (op->num_directions() == 2 && needs_lowering(*op)) take_apart(op, rewriter);
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
