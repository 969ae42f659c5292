// Evaluates the ops whose elements move as blocks of a regular shape: an output, or each part of
// it, is a view of an input, under another shape or other strides.
#include <cstddef>
#include <cstring>

#include "core/graph/infer_context.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {
namespace {

// Borrows the memory of `tensor` from byte `offset` on under another shape and other strides (in
// bytes, an axis each; 0 repeats, below 0 goes back). All of it must lie inside the tensor.
Tensor view(const Tensor& tensor, std::ptrdiff_t offset, const Shape& shape,
            const Strides& strides) {
    auto* data = static_cast<char*>(const_cast<void*>(tensor.data()));
    return {tensor.element_type(), shape, data + offset, strides};
}

}  // namespace

void bit_cast(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (inputs[0].byte_size() == 0) return;
    std::memcpy(outputs[0].data(), inputs[0].data(), inputs[0].byte_size());
}

namespace {

Tensor with_strides(const Tensor& tensor, const std::vector<std::int64_t>& extents,
                    const std::vector<std::int64_t>& elements) {
    const auto bytes = static_cast<std::ptrdiff_t>(size_of(tensor.element_type()));
    Strides strides;
    for (const std::int64_t stride : elements) strides.push_back(stride * bytes);
    return view(tensor, 0, Shape(extents.begin(), extents.end()), strides);
}

ops::BlockAxes axes_of(const Node& node, const Shape& space) {
    const auto& op = static_cast<const ops::BlockMove&>(node);
    return ops::block_axes(space, op.block_size(), op.mode());
}

}  // namespace

void depth_to_space(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const auto axes = axes_of(node, outputs[0].shape());
    Tensor to = with_strides(outputs[0], axes.extents, axes.space);
    with_strides(inputs[0], axes.extents, axes.depth).copy_to(to);
}

void space_to_depth(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const auto axes = axes_of(node, inputs[0].shape());
    Tensor to = with_strides(outputs[0], axes.extents, axes.depth);
    with_strides(inputs[0], axes.extents, axes.space).copy_to(to);
}

void broadcast(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const Shape& shape = outputs[0].shape();
    const auto mode = static_cast<const ops::Broadcast&>(node).mode();
    const auto axes = ops::broadcast_axes(known_context(node, inputs), mode, shape.size()).value();
    if (outputs[0].size() == 0) return;
    Strides strides(shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (data.shape()[i] != 1) strides[axes[i]] = data.strides()[i];
    }
    view(data, 0, shape, strides).copy_to(outputs[0]);
}

void concat(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& joined = outputs[0];
    const auto& op = static_cast<const ops::Concat&>(node);
    const std::size_t axis =
        normalize_axis(known_context(node, inputs), op.axis(), joined.shape().size());
    std::size_t start = 0;
    for (const auto& input : inputs) {
        if (input.size() == 0) continue;
        const auto offset = static_cast<std::ptrdiff_t>(start) * joined.strides()[axis];
        Tensor part = view(joined, offset, input.shape(), joined.strides());
        input.copy_to(part);
        start += input.shape()[axis];
    }
}

// Also Squeeze and Unsqueeze.
void reshape(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    inputs[0].reshaped(outputs[0].shape()).copy_to(outputs[0]);
}

void slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const Tensor& data = inputs[0];
    const auto requests = ops::slice_requests(known_context(node, inputs)).value();
    std::ptrdiff_t offset = 0;
    Strides strides = data.strides();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto range = resolve(requests[i], static_cast<std::int64_t>(data.shape()[i]));
        offset += range.start * strides[i];
        strides[i] *= range.step;
    }
    view(data, offset, outputs[0].shape(), strides).copy_to(outputs[0]);
}

// The outputs' own shapes say where to cut, also for VariadicSplit.
void split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const std::size_t axis = normalize_axis(known_context(node, inputs),
                                            to_int64_vector(inputs[1]).at(0), data.shape().size());
    std::size_t start = 0;
    for (auto& output : outputs) {
        if (output.size() == 0) continue;
        const auto offset = static_cast<std::ptrdiff_t>(start) * data.strides()[axis];
        view(data, offset, output.shape(), data.strides()).copy_to(output);
        start += output.shape()[axis];
    }
}

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

void transpose(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Strides& strides = inputs[0].strides();
    const auto order =
        ops::transpose_order(InferContext(node, {}), to_int64_vector(inputs[1]), strides.size());
    if (outputs[0].size() == 0) return;
    Strides moved;
    for (const std::size_t axis : order) moved.push_back(strides[axis]);
    view(inputs[0], 0, outputs[0].shape(), moved).copy_to(outputs[0]);
}

}  // namespace rondo::reference
