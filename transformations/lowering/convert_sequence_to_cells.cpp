#include "transformations/lowering/passes.hpp"

#include "transformations/lowering/sequence_parts.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

constexpr std::int64_t kMostSteps = 3;  // a loop of more costs less than their nodes

bool is_short(const RecurrentOp& op) {
    const PartialShape& shape = op.input(op.x_port()).shape();
    if (!shape.has_rank() || !shape[kTimeAxis].is_static()) return false;
    return shape[kTimeAxis].length() >= 1 && shape[kTimeAxis].length() <= kMostSteps;
}

void unroll(const std::shared_ptr<RecurrentOp>& op, Rewriter& rewriter) {
    Formula by(rewriter, op->name());
    const std::int64_t steps = op->input(op->x_port()).shape()[kTimeAxis].length();
    const SequenceParts parts = parts_of(by, *op);
    const auto xs = by.split(parts.x, kTimeAxis, steps);
    const auto masks = parts.mask ? by.split(parts.mask, kTimeAxis, steps) : std::vector<Output>();
    std::vector<Output> states = parts.states, ys(xs.size());
    const bool reverse = op->attributes().direction == ops::Direction::reverse;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const std::size_t t = reverse ? xs.size() - 1 - i : i;
        const Output goes_on = masks.empty() ? Output() : masks[t];
        const auto next = make_step(by, *op, by.squeeze(xs[t], {kTimeAxis}), states, parts.weights);
        ys[t] = by.unsqueeze(masked(by, goes_on, next[0], by.number(0, next[0])), {kTimeAxis});
        for (std::size_t k = 0; k < states.size(); ++k) {
            states[k] = masked(by, goes_on, next[k], states[k]);
        }
    }
    replace_sequence(by, *op, {by.concat(ys, kTimeAxis), states});
}

}  // namespace

bool convert_sequence_to_cells(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) {
        if (op->is_sequence() && op->num_directions() == 1 && needs_lowering(*op) &&
            is_short(*op)) {
            unroll(op, rewriter);
        }
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
