// How rows pass through views: Reshape, Squeeze and Unsqueeze keep the order of all elements.

#include <algorithm>
#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/batching/row_rules.hpp"

namespace rondo::passes {
namespace {

// Those of a tensor; some may not be known.
using Extents = std::vector<std::optional<ExtentSum>>;

// An axis of the output on which the rows may lie.
struct Place {
    RowValue value;
    bool needs_edit = false;
};

std::optional<ExtentSum> product(const Extents& extents, std::size_t begin, std::size_t end) {
    std::optional<ExtentSum> result = ExtentSum(1);
    for (std::size_t i = begin; i < end && result; ++i) {
        result = extents[i] ? result->times(*extents[i]) : std::nullopt;
    }
    return result;
}

// Those with one stream.
Extents extents_of_data(const RowStep& step) {
    const Output& data = step.node.input(0);
    const RowValue& rows = step.inputs[0];
    Extents extents;
    for (std::size_t axis = 0; axis < data.shape().rank(); ++axis) {
        extents.push_back(axis == rows.axis ? rows.extent : extent_of(data, axis));
    }
    return extents;
}

bool copies(const ops::Reshape& node, const Integer& element, std::size_t axis, std::size_t rank) {
    return node.special_zero() && number_of(element) == 0 && axis < rank;
}

// What is left for the -1 of a pattern.
std::optional<ExtentSum> left_over(const Extents& data, const Extents& known, std::size_t hole) {
    const auto total = product(data, 0, data.size());
    const auto before = product(known, 0, hole);
    const auto after = product(known, hole + 1, known.size());
    const auto others = before && after ? before->times(*after) : std::nullopt;
    return total && others ? total->divided_by(*others) : std::nullopt;
}

// The output's extents with one stream; what is left for a -1 isn't always known.
Extents extents_of_pattern(const ops::Reshape& node, const Integers& pattern, const Extents& data) {
    Extents extents;
    std::optional<std::size_t> hole;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        extents.push_back(pattern[i] ? Integer(pattern[i]->without_variables()) : Integer());
        if (copies(node, pattern[i], i, data.size())) extents.back() = data[i];
        if (number_of(pattern[i]) == -1) hole = i;
    }
    if (hole) {
        extents[*hole] = ExtentSum(1);
        extents[*hole] = left_over(data, extents, *hole);
    }
    return extents;
}

// The axes before which there are as many elements as before the rows: a stream's elements lie
// there in one piece, too.
std::vector<std::size_t> fitting_axes(const Extents& data, std::size_t axis, const Extents& out) {
    std::vector<std::size_t> axes;
    const auto before = product(data, 0, axis);
    for (std::size_t i = 0; i < out.size() && before; ++i) {
        const auto in_front = product(out, 0, i);
        if (in_front && *in_front == *before) axes.push_back(i);
    }
    return axes;
}

// Whether the extent of `axis` grows with the number of streams, and no other one does.
bool grows_alone(const RowStep& step, const ops::Reshape& node, const Integers& pattern,
                 std::size_t axis) {
    const std::size_t rank = node.input(0).shape().rank();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (i == axis) continue;
        if (counts_streams(pattern[i])) return false;
        if (copies(node, pattern[i], i, rank) && i == step.inputs[0].axis) return false;
    }
    const Integer& own = pattern[axis];
    if (counts_streams(own) || number_of(own) == -1) return true;
    return copies(node, own, axis, rank) && axis == step.inputs[0].axis;
}

// A number in the pattern that may be written as a multiple of the number of streams instead.
bool may_grow(const RowStep& step, const ops::Reshape& node, const Integers& pattern,
              std::size_t axis) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (counts_streams(pattern[i])) return false;
        if (copies(node, pattern[i], i, node.input(0).shape().rank()) && i == step.inputs[0].axis) {
            return false;
        }
    }
    return number_of(pattern[axis]).value_or(0) > 0;
}

std::vector<Place> places_in_reshape(const RowStep& step, const ops::Reshape& node) {
    const auto& pattern = step.inputs[1].elements;
    if (!pattern) return {};
    const Extents data = extents_of_data(step);
    const Extents out = extents_of_pattern(node, *pattern, data);
    std::vector<Place> places;
    for (const std::size_t axis : fitting_axes(data, step.inputs[0].axis, out)) {
        if (!out[axis]) continue;
        const bool grows = grows_alone(step, node, *pattern, axis);
        if (!grows && (step.edits == nullptr || !may_grow(step, node, *pattern, axis))) continue;
        places.push_back({RowValue::rows(axis, *out[axis]), !grows});
    }
    return places;
}

// First the axis that the op keeps, then those that a Reshape in its place may give the rows.
std::vector<Place> places_in_squeeze(const RowStep& step) {
    const Output& data = step.node.input(0);
    const PartialShape& shape = step.node.output_shape(0);
    std::vector<Place> places;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const auto rows = step.node.independent_axis(0, axis);
        if (!rows || rows->inputs[0] != step.inputs[0].axis) continue;
        places.push_back({RowValue::rows(axis, step.inputs[0].extent)});
    }
    if (step.edits == nullptr || !data.shape().is_static() || !shape.is_static()) return places;
    Extents out;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        out.emplace_back(shape[axis].length());
    }
    for (const std::size_t axis : fitting_axes(extents_of_data(step), step.inputs[0].axis, out)) {
        if (!places.empty() && places.front().value.axis == axis) continue;
        places.push_back({RowValue::rows(axis, *out[axis]), true});
    }
    return places;
}

}  // namespace

std::optional<RowValues> rows_of_view(const RowStep& step) {
    if (!step.node.traits().view || !step.inputs[0].has_rows) return {};
    const bool has_ranks =
        step.node.input(0).shape().has_rank() && step.node.output_shape(0).has_rank();
    for (std::size_t i = 1; i < step.inputs.size(); ++i) {
        if (step.inputs[i].has_rows) step.fail("its new shape depends on the rows");
    }
    if (!has_ranks) step.fail("the number of its axes isn't known");
    const auto* reshape = as_op<ops::Reshape>(step.node);
    auto places = reshape != nullptr ? places_in_reshape(step, *reshape) : places_in_squeeze(step);
    if (step.edits != nullptr) {
        std::stable_partition(places.begin(), places.end(), [](const Place& place) {
            return place.value.extent.number() == 1;  // as the rows of an input
        });
    }
    if (places.empty()) {
        step.fail("its shape doesn't keep the rows apart, which lie along axis " +
                  std::to_string(step.inputs[0].axis) + " of its input 0");
    }
    Choices causes = step.choices();
    const std::size_t taken = places.size() == 1 ? 0 : step.search.choose(places.size(), causes);
    Place place = places[taken];
    place.value.choices = std::move(causes);
    if (place.needs_edit) {
        const auto extent = step.inputs[0].extent.number();
        if (!extent || *extent == 0) step.fail("its shape has a fixed number of rows");
        step.edits->push_back({BatchEdit::Kind::shape, &step.node, 0, place.value.axis, 0,
                               step.inputs[0].axis, *extent});
    }
    return RowValues{std::move(place.value)};
}

}  // namespace rondo::passes
