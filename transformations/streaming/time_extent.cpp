#include "transformations/streaming/time_extent.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/convert.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxDepth = 16;

using Extent = std::optional<TimeExtent>;

Extent extent_at(const TimeWalk& walk, const Output& value, std::size_t index, int depth);

// Two terms of which one at most is T.
Extent sum_of(const TimeWalk& walk, const Node& node, std::size_t index, int depth) {
    const bool subtracts = ops::is(node, ops::BinaryFunction::subtract);
    if (!subtracts && !ops::is(node, ops::BinaryFunction::add)) return {};
    Extent terms[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const PartialShape& shape = node.input(i).shape();
        if (!shape.is_static()) return {};
        const bool is_single = element_count(shape.to_shape()) == 1;
        terms[i] = extent_at(walk, node.input(i), is_single ? 0 : index, depth);
        if (!terms[i]) return {};
    }
    if (terms[1]->has_time && (subtracts || terms[0]->has_time)) return {};
    const std::int64_t second = subtracts ? -terms[1]->number : terms[1]->number;
    return TimeExtent{terms[0]->has_time || terms[1]->has_time, terms[0]->number + second};
}

Extent extent_at(const TimeWalk& walk, const Output& value, std::size_t index, int depth) {
    if (depth > kMaxDepth) return {};
    if (const auto element = shape_element(value, index)) {
        if (element->number) return TimeExtent{false, *element->number};
        if (!is_time(walk, *element)) return {};
        const TimeFact& fact = walk.fact(element->tensor);
        return TimeExtent{true, fact.extra + fact.missing};
    }
    const Node& node = value.node();
    if (node.traits().view || as_op<ops::Convert>(node) != nullptr) {
        return extent_at(walk, node.input(0), index, depth + 1);
    }
    return sum_of(walk, node, index, depth + 1);
}

}  // namespace

bool is_time(const TimeWalk& walk, const ShapeElement& element) {
    if (element.number) return false;
    const TimeFact& fact = walk.fact(element.tensor);
    return fact.is_frames() && fact.axis == element.axis;
}

Extent time_extent(const TimeWalk& walk, const Output& value, std::size_t index) {
    return extent_at(walk, value, index, 0);
}

std::optional<std::vector<std::size_t>> time_places(const TimeWalk& walk, const Output& vector) {
    const auto elements = shape_elements(vector);
    if (!elements) return {};
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < elements->size(); ++i) {
        if (is_time(walk, (*elements)[i])) places.push_back(i);
    }
    return places;
}

}  // namespace rondo::passes
