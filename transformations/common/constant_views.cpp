#include "transformations/common/constant_views.hpp"

#include <algorithm>
#include <memory>

#include "core/ops/reference/evaluate.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

// Whether parts along the axis are contiguous in memory: no axis varies more slowly.
bool is_outermost(const Tensor& axis, const Shape& shape) {
    const auto axes = normalized_axes(to_int64_vector(axis), shape.size());
    if (!axes || axes->size() != 1) return false;
    const auto end = shape.begin() + static_cast<std::ptrdiff_t>(axes->front());
    return std::all_of(shape.begin(), end, [](std::size_t extent) { return extent == 1; });
}

}  // namespace

std::vector<Tensor> views_of_constant(const Node& node, const std::vector<Tensor>& inputs) {
    const bool is_cut = node.traits().cuts;
    if (!is_cut && !node.traits().view) return {};
    const auto whole = std::make_shared<const Tensor>(inputs[0].contiguous());
    if (is_cut && !is_outermost(inputs[1], whole->shape())) return {};
    std::vector<Tensor> views;
    const auto* at = static_cast<const char*>(whole->data());
    for (const auto& [type, shape] : reference::infer_outputs(node, inputs)) {
        views.emplace_back(type, shape, at, whole);
        at += views.back().byte_size();
    }
    return views;
}

}  // namespace rondo::passes
