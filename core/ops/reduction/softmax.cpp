#include "core/ops/reduction/softmax.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
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

}  // namespace rondo::ops
