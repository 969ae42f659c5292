#include "transformations/steps/time_parts.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/parts/axis_part.hpp"
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

namespace {

// Two open extents may differ, so the request has to say it. A stop of 2^31 - 1 means the end in
// exporters' files.
bool is_whole(const ops::SliceRequest& request, const Dimension& extent) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();
    if (request.start != 0 || request.step != 1 || !request.stop) return false;
    return *request.stop >= kEnd || (extent.is_static() && *request.stop >= extent.length());
}

std::optional<TimePart> sliced(const Node& node) {
    const auto requests = ops::slice_requests(context_of(node));
    if (!requests || requests->size() != ops::kRankOfX) return {};
    std::optional<TimePart> part;
    for (std::size_t axis = 0; axis < ops::kRankOfX; ++axis) {
        const Dimension& extent = node.input(0).shape()[axis];
        if (is_whole((*requests)[axis], extent)) continue;
        const bool is_one = node.output_shape(0)[axis] == Dimension(1) && extent.is_static();
        if (part || !is_one || !(*requests)[axis].start) return {};
        const auto range = ops::resolve((*requests)[axis], extent.length());
        if (axis == ops::kRankOfX - 1) return {};
        part = TimePart{{node.input(0), axis}, static_cast<std::size_t>(range.start)};
    }
    return part;
}

// A part of a tensor that is turned round is another one of the tensor in front of that.
std::optional<TimePart> before_reversal(TimePart part) {
    const Node& node = part.input.tensor.node();
    if (reversed_axis(node) != part.input.time_axis) return part;
    const auto extent = part.input.tensor.shape()[part.input.time_axis].length();
    part.input.tensor = node.input(0);
    part.step = static_cast<std::size_t>(extent) - 1 - part.step;
    return part;
}

std::optional<TimePart> direct_part(const Output& value) {
    const Node& node = value.node();
    if (node.input_count() == 0 || !node.input(0).shape().has_rank()) return {};
    if (node.input(0).shape().rank() != ops::kRankOfX || value.element_type() != ElementType::f32) {
        return {};
    }
    if (as_op<ops::Slice>(node) != nullptr) return sliced(node);
    const auto element = taken_element(value);
    if (!element || element->axis == ops::kRankOfX - 1) return {};
    return TimePart{{node.input(0), element->axis}, element->index};
}

}  // namespace

std::optional<TimePart> time_part(const Output& value) {
    const auto part = direct_part(value);
    return part ? before_reversal(*part) : std::nullopt;
}

std::vector<StepInput> tensors_in_parts(const Graph& graph) {
    std::vector<std::pair<StepInput, std::set<std::size_t>>> found;
    for (const auto& node : graph.ordered_nodes()) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const auto part = time_part(node->output(i));
            if (!part) continue;
            auto place = std::find_if(found.begin(), found.end(),
                                      [&](const auto& one) { return one.first == part->input; });
            if (place == found.end()) place = found.insert(found.end(), {part->input, {}});
            place->second.insert(part->step);
        }
    }
    std::vector<StepInput> result;
    for (const auto& [input, steps] : found) {
        const auto count = input.tensor.shape()[input.time_axis].length();
        const bool is_whole = steps.size() == static_cast<std::size_t>(count);
        if (is_whole && steps.size() > 1) result.push_back(input);
    }
    return result;
}

}  // namespace rondo::passes
