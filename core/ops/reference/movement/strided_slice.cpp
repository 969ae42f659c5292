// Evaluates StridedSlice.
#include "core/ops/movement/strided_slice.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {

void strided_slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    using Kind = ops::StridedSlicePart::Kind;
    if (outputs[0].size() == 0) return;
    const Tensor& data = inputs[0];
    const auto& op = static_cast<const ops::StridedSlice&>(node);
    const auto parts = ops::strided_slice_parts(known_context(node, inputs), op.masks()).value();
    std::ptrdiff_t offset = 0;
    Strides strides;
    std::size_t axis = 0;
    for (const auto& part : parts) {
        if (part.kind == Kind::new_axis) {
            strides.push_back(0);
            continue;
        }
        const std::ptrdiff_t stride = data.strides()[axis];
        const auto extent = static_cast<std::int64_t>(data.shape()[axis++]);
        if (part.kind == Kind::shrink) {
            const std::int64_t index = part.request.start.value();
            offset += (index < 0 ? index + extent : index) * stride;
        } else {
            const auto range = resolve(part.request, extent);
            offset += range.start * stride;
            strides.push_back(range.step * stride);
        }
    }
    view(data, offset, outputs[0].shape(), strides).copy_to(outputs[0]);
}

}  // namespace rondo::reference
