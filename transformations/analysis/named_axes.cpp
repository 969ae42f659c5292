#include "transformations/analysis/named_axes.hpp"

#include <numeric>
#include <set>
#include <utility>

#include "core/graph/constants.hpp"

namespace rondo::passes {

std::optional<std::vector<std::int64_t>> written_axes(const Node& node) {
    if (const std::int64_t* axis = node.axis_attribute()) return std::vector{*axis};
    const std::size_t input = node.traits().axes_input;
    if (input == OpTraits::kNoInput) return {};
    if (input < node.input_count()) return constant_ints(node.input(input));
    const PartialShape& starts = node.input(1).shape();
    if (!starts.is_static()) return {};
    std::vector<std::int64_t> axes(element_count(starts.to_shape()));
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    return axes;
}

std::optional<std::vector<std::size_t>> named_axes(const Node& node) {
    const auto axes = written_axes(node);
    return axes && node.input(0).shape().has_rank()
               ? normalized_axes(*axes, node.input(0).shape().rank())
               : std::nullopt;
}

std::optional<std::size_t> named_axis(const Node& node) {
    const auto axes = named_axes(node);
    return axes && axes->size() == 1 ? std::optional(axes->front()) : std::nullopt;
}

bool names_last_axes(const Node& node) {
    const auto axes = named_axes(node);
    if (!axes || axes->empty()) return false;
    const std::set<std::size_t> sorted(axes->begin(), axes->end());
    return *sorted.begin() + sorted.size() == node.input(0).shape().rank();
}

NodePtr make_with_axes(Rewriter& rewriter, const Node& node, std::vector<Output> inputs,
                       const std::vector<std::int64_t>& axes) {
    const std::size_t input = node.traits().axes_input;
    if (node.axis_attribute() != nullptr) {
        const NodePtr made = rewriter.clone(node, node.inputs());
        *made->axis_attribute() = axes.at(0);
        made->set_inputs(std::move(inputs));
        made->validate();
        return made;
    }
    const bool is_scalar = input < node.input_count() && node.input(input).shape().rank() == 0;
    const std::string name = node.name() + "/axes";
    if (inputs.size() <= input) inputs.resize(input + 1);
    inputs[input] =
        is_scalar ? rewriter.make_scalar(name, axes.at(0)) : rewriter.make_ints(name, axes);
    return rewriter.clone(node, std::move(inputs));
}

}  // namespace rondo::passes
