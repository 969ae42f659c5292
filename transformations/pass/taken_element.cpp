#include "transformations/pass/taken_element.hpp"

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/variadic_split.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

using Found = std::optional<TakenElement>;

// The axis that an input names, if its extent is known.
std::optional<std::size_t> known_axis(const Node& node, std::size_t input) {
    const PartialShape& shape = node.input(0).shape();
    const auto numbers = constant_ints(node.input(input));
    if (!shape.has_rank() || !numbers || numbers->size() != 1) return {};
    const auto axis = normalized_axes(*numbers, shape.rank());
    if (!axis || !shape[axis->front()].is_static()) return {};
    return axis->front();
}

Found element_of(const ops::Gather& node) {
    const auto axis = known_axis(node, 2);
    const auto index = constant_ints(node.input(1));
    if (!axis || !index || index->size() != 1 || node.batch_dims() != 0) return {};
    const auto extent = static_cast<std::size_t>(node.input(0).shape()[*axis].length());
    const auto place = normalized_axes(*index, extent);
    return place ? Found({*axis, place->front()}) : Found();
}

Found part_of(const Node& node, std::size_t output) {
    const auto axis = known_axis(node, 1);
    for (std::size_t i = 0; axis && i < node.output_count(); ++i) {
        if (node.output_shape(i)[*axis] != Dimension(1)) return {};
    }
    return axis ? Found({*axis, output}) : Found();
}

}  // namespace

std::optional<TakenElement> taken_element(const Output& value) {
    const Node& node = value.node();
    if (const auto* gather = as_op<ops::Gather>(node)) return element_of(*gather);
    const bool splits =
        as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr;
    return splits ? part_of(node, value.index()) : Found();
}

}  // namespace rondo::passes
