// Reverses the first elements of each row of a batch.
#include "core/ops/movement/movement_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void ReverseSequence::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.type(1);
    context.check(is_integral(type) || type == ElementType::dynamic,
                  "lengths have type " + std::string(to_string(type)) + "; expected integers");
    context.check_rank(1, 1, "lengths");
    PartialShape result = context.shape(0);
    if (result.has_rank()) {
        const std::size_t batch = normalize_axis(context, batch_axis_, result.rank());
        const std::size_t sequence = normalize_axis(context, seq_axis_, result.rank());
        context.check(batch != sequence, "batch_axis and seq_axis are both axis " +
                                             std::to_string(batch) + "; expected two axes");
        if (context.shape(1).has_rank()) {
            result[batch] = context.merge(result[batch], context.shape(1)[0],
                                          "the extent of data's batch axis and of lengths");
        }
    }
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> ReverseSequence::independent_axis(std::size_t,
                                                                 std::size_t axis) const {
    const std::size_t rank = input(0).shape().rank();
    const auto is_sequence = named_among({seq_axis_}, rank);
    const auto is_batch = named_among({batch_axis_}, rank);
    if (!is_sequence || !is_batch || (*is_sequence)[axis]) return std::nullopt;
    IndependentAxis rows = rows_of_data(*this, axis, axis);
    if ((*is_batch)[axis]) rows.inputs[1] = 0;
    return rows;
}

}  // namespace rondo::ops
