#include "plugins/cpu/ops/ordered_sequence.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "plugins/cpu/ops/implied_input.hpp"

namespace rondo::cpu {
namespace {

PartialShape transposed(const PartialShape& shape, const std::vector<std::size_t>& order) {
    std::vector<Dimension> extents;
    for (const std::size_t axis : order) extents.push_back(shape[axis]);
    return PartialShape(std::move(extents));
}

}  // namespace

// The sequence checks and infers under its own name.
void OrderedSequence::infer(InferContext& context) const {
    context.check_rank(sequence_->x_port(), order_.x.size(), "X");
    std::vector<InferInput> inputs;
    for (std::size_t i = 0; i < sequence_->inputs().size(); ++i) {
        const Output source = sequence_->input(i);
        if (i >= sequence_->w_port()) {
            inputs.push_back({source.element_type(), source.shape(), {}});
        } else {
            inputs.push_back(seen_by_sequence({context.type(i), context.shape(i), context.value(i)},
                                              source.element_type()));
        }
    }
    InferInput& x = inputs[sequence_->x_port()];
    if (x.shape.has_rank()) x = {x.type, transposed(x.shape, order_.x), {}};
    InferContext alone(sequence_->name(), sequence_->type_name(), std::move(inputs));
    sequence_->infer(alone);
    for (std::size_t i = 0; i < alone.outputs().size(); ++i) {
        const InferOutput& output = alone.outputs()[i];
        context.set_output(i, output.type,
                           i == 0 ? transposed(output.shape, order_.y) : output.shape);
    }
}

std::optional<IndependentAxis> OrderedSequence::independent_axis(std::size_t output,
                                                                 std::size_t axis) const {
    const auto batch = std::find(order_.y.begin(), order_.y.end(), std::size_t{0});
    const auto y_axis = static_cast<std::size_t>(batch - order_.y.begin());
    if (axis != (output == 0 ? y_axis : 0)) return std::nullopt;
    IndependentAxis rows(input_count(), output_count(), 0);
    rows.outputs[0] = y_axis;
    for (std::size_t i = 0; i < sequence_->w_port(); ++i) {
        if (!is_implied(input(i))) rows.inputs[i] = 0;
    }
    rows.inputs[sequence_->x_port()] = order_.x[0];
    return rows;
}

}  // namespace rondo::cpu
