#include "transformations/lowering/sequence_parts.hpp"
#include "core/extents/full_lengths.hpp"

#include <utility>

#include "transformations/recurrent/recognition/recognise_cell.hpp"

namespace rondo::passes {

bool needs_lowering(const ops::RecurrentOp& op) {
    const PartialShape& x = op.input(op.x_port()).shape();
    if (!x.has_rank()) return false;
    if (!op.is_standard()) return true;
    return op.is_sequence() && !x.is_static() && !lengths_are_full(op);
}

namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::RecurrentOp;

constexpr std::int64_t kDirectionAxis = 1;  // of Y and the states

ElementType wide_type(ElementType type) {
    return type == ElementType::f64 ? type : ElementType::f32;
}

// T as a scalar.
Output time_steps(Formula& by, const RecurrentOp& op) {
    return by.gather(by.shape_of(op.input(op.x_port())), by.integer(kTimeAxis), 0);
}

// [N,1], i64.
Output column_of_lengths(Formula& by, const RecurrentOp& op) {
    const Output& lengths = op.input(op.lengths_port());
    return by.unsqueeze(by.convert(lengths, ElementType::i64), {1});
}

Output mask_of(Formula& by, const RecurrentOp& op) {
    const Output steps = by.range(time_steps(by, op));
    return by.compare(CompareFunction::greater, column_of_lengths(by, op), steps);
}

// The rows whose last state isn't 0: all where T is 0, else those of length 1 or more. [N,1].
Output rows_that_ran(Formula& by, const RecurrentOp& op) {
    const Output least = by.minimum(time_steps(by, op), by.integer(1));
    return by.compare(CompareFunction::greater_equal, column_of_lengths(by, op), least);
}

void replace(Formula& by, const Output& old, const Output& value) {
    const Output whole = by.unsqueeze(value, {kDirectionAxis});
    by.rewriter().replace(old, by.convert(whole, old.element_type()));
}

}  // namespace

ops::RecurrentAttributes attributes_of_direction(const RecurrentOp& op, std::size_t direction) {
    ops::RecurrentAttributes result = op.attributes();
    result.hidden_size = op.hidden_size();
    result.activations.clear();
    result.activations_alpha.clear();
    result.activations_beta.clear();
    set_activations(result, op.resolved_activations()[direction]);
    const bool both = op.attributes().direction == ops::Direction::bidirectional;
    if (both) result.direction = direction == 0 ? ops::Direction::forward : ops::Direction::reverse;
    return result;
}

SequenceParts parts_of(Formula& by, const RecurrentOp& op) {
    const ElementType type = wide_type(op.output_type(0));
    SequenceParts result;
    result.x = by.convert(op.input(op.x_port()), type);
    for (std::size_t port = op.h_port(); port < op.lengths_port(); ++port) {
        result.states.push_back(by.squeeze(by.convert(op.input(port), type), {kDirectionAxis}));
    }
    for (std::size_t port = op.w_port(); port < op.input_count(); ++port) {
        result.weights.push_back(by.squeeze(by.convert(op.input(port), type), {0}));
    }
    if (!lengths_are_full(op)) result.mask = mask_of(by, op);
    return result;
}

std::vector<Output> make_step(Formula& by, const RecurrentOp& op, const Output& x,
                              const std::vector<Output>& states,
                              const std::vector<Output>& weights) {
    std::vector<Output> inputs{x};
    inputs.insert(inputs.end(), states.begin(), states.end());
    inputs.insert(inputs.end(), weights.begin(), weights.end());
    ops::RecurrentAttributes attributes = attributes_of_direction(op, 0);
    attributes.direction = ops::Direction::forward;
    const NodePtr cell =
        by.recurrent(by.name("cell"), op.cell_type(), false, attributes, std::move(inputs));
    std::vector<Output> next;
    for (std::size_t i = 0; i < cell->output_count(); ++i) next.push_back(cell->output(i));
    return next;
}

Output masked(Formula& by, const Output& goes_on, const Output& next, const Output& otherwise) {
    return goes_on ? by.select(goes_on, next, otherwise) : next;
}

void replace_sequence(Formula& by, RecurrentOp& op, const SequenceResults& results) {
    const Output ran = lengths_are_full(op) ? Output() : rows_that_ran(by, op);
    const auto old = op.shared_from_this();  // lives until all its outputs are replaced
    if (!old->output(0).consumers().empty()) replace(by, old->output(0), results.y);
    for (std::size_t i = 0; i < results.states.size(); ++i) {
        const Output output = old->output(i + 1);
        if (output.consumers().empty()) continue;
        const Output& state = results.states[i];
        replace(by, output, masked(by, ran, state, by.number(0, state)));
    }
}

}  // namespace rondo::passes
