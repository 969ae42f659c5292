// Softmax, its logarithm, and normalising to mean 0 and variance 1.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void SoftmaxBase::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type != ElementType::dynamic && !is_floating(type)) {
        context.refuse("the input is " + std::string(to_string(type)) +
                       "; expected a floating type");
    }
    if (context.shape(0).has_rank()) {
        // A scalar counts as one axis, which 0 and -1 name, as in OpenVINO.
        normalize_axis(context, axis_, std::max<std::size_t>(context.shape(0).rank(), 1));
    }
    context.set_output(0, type, context.shape(0));
}

void Softmax1::infer(InferContext& context) const {
    context.check(axis() >= 0, "axis is " + std::to_string(axis()) +
                                   "; expected 0 or more (opset8 counts from the end)");
    SoftmaxBase::infer(context);
}

std::optional<IndependentAxis> SoftmaxBase::independent_axis(std::size_t, std::size_t axis) const {
    const auto own = named_among({axis_}, input(0).shape().rank());
    if (!own || (*own)[axis]) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

void Mvn::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.type(0);
    check_type(context, TypeRule::floating, type, "the input is");
    const ElementType axes_type = context.type(1);
    context.check(axes_type == ElementType::dynamic || is_integral(axes_type),
                  "axes are " + std::string(to_string(axes_type)) + "; expected integers");
    const PartialShape& axes_shape = context.shape(1);
    context.check(!axes_shape.has_rank() || axes_shape.rank() <= 1,
                  "axes have shape " + to_string(axes_shape) + "; expected rank 0 or 1");
    const PartialShape& shape = context.shape(0);
    const auto axes = context.ints(1);
    if (axes && shape.has_rank()) reduced_axes(context, *axes, shape.rank());  // checks them
    // A plan needs the axes, so that a shape without them stays open.
    const bool is_open = !axes && shape.has_rank();
    context.set_output(0, type, is_open ? PartialShape::of_rank(shape.rank()) : shape);
}

std::optional<IndependentAxis> Mvn::independent_axis(std::size_t, std::size_t axis) const {
    const auto axes = constant_ints(input(1));
    const auto named = axes ? named_among(*axes, input(0).shape().rank()) : std::nullopt;
    if (!named || (*named)[axis]) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
