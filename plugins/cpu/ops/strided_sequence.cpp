#include "plugins/cpu/ops/strided_sequence.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "plugins/cpu/ops/default_input.hpp"

namespace rondo::cpu {

PartialShape transposed(const PartialShape& shape, const std::vector<std::size_t>& order) {
    std::vector<Dimension> extents;
    for (const std::size_t axis : order) extents.push_back(shape[axis]);
    return PartialShape(std::move(extents));
}

namespace {

// What the sequence sees of an input of another order. Others it checks by itself.
void turn(InferInput& input, const std::vector<std::size_t>& order) {
    if (!input.shape.has_rank() || input.shape.rank() != order.size()) return;
    input = {input.type, transposed(input.shape, order), {}};
}

std::size_t axis_of_rows(const std::vector<std::size_t>& order) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), std::size_t{0}) -
                                    order.begin());
}

}  // namespace

// The sequence checks and infers under its own name.
void StridedSequence::infer(InferContext& context) const {
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
    turn(inputs[sequence_->x_port()], order_.x);
    turn(inputs[sequence_->h_port()], order_.first);
    if (sequence_->c_port() != ops::RecurrentOp::npos) {
        turn(inputs[sequence_->c_port()], order_.first);
    }
    InferContext alone(*sequence_, std::move(inputs));
    sequence_->infer(alone);
    for (std::size_t i = 0; i < alone.outputs().size(); ++i) {
        const InferOutput& output = alone.outputs()[i];
        context.set_output(i, output.type,
                           transposed(output.shape, i == 0 ? order_.y : order_.last));
    }
}

std::optional<IndependentAxis> StridedSequence::independent_axis(std::size_t output,
                                                                 std::size_t axis) const {
    const std::size_t of_y = axis_of_rows(order_.y), of_last = axis_of_rows(order_.last);
    if (axis != (output == 0 ? of_y : of_last)) return std::nullopt;
    IndependentAxis rows(input_count(), output_count(), of_last);
    rows.outputs[0] = of_y;
    for (std::size_t i = 0; i < sequence_->w_port(); ++i) {
        const bool is_state = i == sequence_->h_port() || i == sequence_->c_port();
        if (!is_default(input(i))) rows.inputs[i] = is_state ? order_.first[0] : 0;
    }
    rows.inputs[sequence_->x_port()] = order_.x[0];
    return rows;
}

// The rows and the time of X; D and H are the op's own.
std::vector<ExtentSource> StridedSequence::extent_sources(std::size_t output,
                                                          std::size_t axis) const {
    const std::size_t own = output == 0 ? order_.y[axis] : order_.last[axis];
    if (own == 0) return {{sequence_->x_port(), order_.x[0]}};
    if (output == 0 && own == 2) return {{sequence_->x_port(), order_.x[1]}};
    return {};
}

}  // namespace rondo::cpu
