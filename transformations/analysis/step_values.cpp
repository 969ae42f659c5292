#include "transformations/analysis/step_values.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"

namespace rondo::passes {

std::size_t units_of(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return 0;
    const Dimension& last = shape[shape.rank() - 1];
    return last.is_static() ? static_cast<std::size_t>(last.length()) : 0;
}

bool is_last_axis(std::int64_t axis, const PartialShape& shape) {
    return axis == -1 || (shape.has_rank() && axis + 1 == static_cast<std::int64_t>(shape.rank()));
}

Output behind_views(Output value) {
    while (value.node().traits().view) value = value.node().input(0);
    return value;
}

Tensor known_floats(const Output& value) {
    const Tensor known = known_value(value);
    return known && known.element_type() == ElementType::f32 ? known.contiguous() : Tensor();
}

std::optional<std::size_t> gathered_axis(const Node& node) {
    const auto* gather = as_op<ops::Gather>(node);
    if (gather == nullptr || gather->batch_dims() != 0) return {};
    const PartialShape& data = gather->input(0).shape();
    const auto ints = constant_ints(gather->input(2));
    if (!data.has_rank() || !ints || ints->size() != 1) return {};
    const auto axis = normalized_axes(*ints, data.rank());
    return axis ? std::optional(axis->front()) : std::nullopt;
}

bool cuts_parts(const Node& node) {
    return node.traits().cuts || as_op<ops::Slice>(node) != nullptr;
}

bool is_sum(const Node& node) {
    return ops::is(node, ops::BinaryFunction::add) ||
           ops::is(node, ops::BinaryFunction::subtract) ||
           ops::is(node, ops::BinaryFunction::multiply);
}

std::size_t moved_inputs(const Node& node) {
    const OpTraits traits = node.traits();
    return traits.moves_elements ? std::min(traits.data_inputs, node.input_count()) : 0;
}

const Node* walk_up(const std::vector<Output>& values, Visit visit) {
    std::vector<const Node*> open;
    for (const Output& value : values) open.push_back(&value.node());
    std::unordered_set<const Node*> seen;
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (!seen.insert(node).second) continue;
        const auto followed = visit(*node);
        if (!followed) return node;
        const std::size_t count = std::min(*followed, node->input_count());
        for (std::size_t i = 0; i < count; ++i) open.push_back(&node->input(i).node());
    }
    return nullptr;
}

bool depends_on(const std::vector<Output>& values, const Node& other) {
    return walk_up(values, [&](const Node& node) {
        return &node == &other ? std::nullopt : std::optional(kAllInputs);
    });
}

}  // namespace rondo::passes
