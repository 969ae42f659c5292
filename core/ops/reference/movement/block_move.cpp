// Evaluates DepthToSpace and SpaceToDepth.
#include "core/ops/movement/block_move.hpp"

#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {
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

}  // namespace rondo::reference
