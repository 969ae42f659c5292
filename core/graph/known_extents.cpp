#include "core/graph/known_extents.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"

namespace rondo {
namespace {

constexpr std::size_t kMostExtents = 64;

std::vector<Dimension> extents_in(const Tensor& value) {
    if (value.shape().size() > 1 || value.size() > kMostExtents) return {};
    const auto numbers = to_int64_vector(value);
    if (std::ranges::any_of(numbers, [](std::int64_t number) { return number < 0; })) return {};
    return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<Dimension> known_extents(const Output& value, int steps) {
    const ElementType type = value.element_type();
    const PartialShape& shape = value.shape();
    if (type != ElementType::i64 && type != ElementType::i32) return {};
    if (!shape.has_rank() || shape.rank() > 1) return {};
    if (const Tensor known = known_value(value)) return extents_in(known);
    if (steps == kMostExtentSteps) return {};
    auto extents = value.node().known_extents(value.index(), steps + 1);
    if (extents.size() > kMostExtents) extents.clear();
    return extents;
}

}  // namespace rondo
