#include "frontend/onnx/ops/common/building_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/ops/common/extents.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/limits.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

Ints ints_from(std::int64_t from, std::size_t end) {
    const auto last = static_cast<std::int64_t>(end);
    Ints numbers(static_cast<std::size_t>(std::max(last - from, std::int64_t{0})));
    std::iota(numbers.begin(), numbers.end(), from);
    return numbers;
}

Ints along_axis_pattern(std::size_t rank, std::size_t place) {
    Ints pattern(rank, 1);
    if (rank > 0) pattern[place] = -1;
    return pattern;
}

Output with_channels_first(NodeContext& by, const Output& x) {
    Ints order = ints_from(0, NodeContext::rank_of(x, 2));
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return by.transpose(x, order);
}

Output with_channels_last(NodeContext& by, const Output& x) {
    Ints order = ints_from(0, NodeContext::rank_of(x, 2));
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return by.transpose(x, order);
}

Output with_extents(NodeContext& by, const Output& value, const PartialShape& expected) {
    Output known = value;
    for (std::size_t axis = 0; axis < expected.rank(); ++axis) {
        const bool is_known = known.shape().has_rank() && known.shape()[axis].is_static();
        // A 0 in the pattern would copy the extent.
        if (is_known || !expected[axis].is_static() || expected[axis].length() == 0) continue;
        // One axis at a time: two extents could differ while their product doesn't.
        Ints pattern(expected.rank(), 0);
        pattern[axis] = expected[axis].length();
        known = by.reshape(known, pattern);
    }
    return known;
}

Output in_shape_of(NodeContext& by, const Output& value, const Output& x) {
    const PartialShape common = value.shape().intersect(x.shape()).value_or(x.shape());
    Ints known;  // a 0, which copies an extent, for those that aren't
    for (const Dimension& extent : common.dimensions()) {
        known.push_back(extent.is_static() ? extent.length() : 0);
    }
    const Output view = by.reshape_like(value, x);
    const bool is_settled =
        x.shape().is_static() || std::ranges::count(known, 0) == std::ssize(known);
    return is_settled ? view : by.reshape(view, known);
}

Output in_shape_of(NodeContext& by, const Output& value, const Output& x,
                   const std::vector<Output>& parameters) {
    const bool fits = std::ranges::all_of(parameters, [&](const Output& parameter) {
        return !parameter || ops::never_widens(parameter.shape(), x.shape());
    });
    return fits ? value : in_shape_of(by, value, x);
}

void check_broadcast(const PartialShape& shape, const PartialShape& target, std::string_view what) {
    if (!shape.has_rank() || !target.has_rank()) return;
    bool fits = shape.rank() <= target.rank();
    for (std::size_t i = 0; fits && i < shape.rank(); ++i) {
        const Dimension& wide = target[i + target.rank() - shape.rank()];
        fits = shape[i].contains(1) || shape[i].intersect(wide);
    }
    if (fits) return;
    throw ModelError(std::string(what) + " has shape " + to_string(shape) +
                     ", which can't be broadcast to " + to_string(target));
}

PartialShape extents_met(const PartialShape& shape, const PartialShape& target) {
    PartialShape met = PartialShape::of_rank(target.rank());
    if (!shape.has_rank() || shape.rank() > target.rank()) return met;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] != Dimension(1)) met[i + target.rank() - shape.rank()] = shape[i];
    }
    return met;
}

std::optional<std::int64_t> known_elements(const PartialShape& shape, std::size_t from,
                                           std::size_t to) {
    Shape extents;
    for (std::size_t i = from; i < to; ++i) {
        if (!shape[i].is_static()) return std::nullopt;
        extents.push_back(static_cast<std::size_t>(shape[i].length()));
    }
    return static_cast<std::int64_t>(element_count(extents));
}

Ints flat_pattern(const PartialShape& shape, std::int64_t axis) {
    const auto front = static_cast<std::size_t>(axis);
    Ints pattern(front, 0);
    const auto count = shape.has_rank() ? known_elements(shape, front, shape.rank()) : std::nullopt;
    pattern.push_back(count.value_or(0) == 0 ? -1 : *count);
    return pattern;
}

Output with_channels(NodeContext& by, const Output& x, const std::vector<Output>& vectors) {
    if (!x.shape().has_rank() || x.shape().rank() < 2) return x;
    PartialShape expected = PartialShape::of_rank(x.shape().rank());
    Output known = x;
    for (const Output& vector : vectors) {
        const PartialShape& shape = vector.shape();
        if (!shape.has_rank() || shape.rank() != 1) continue;
        expected[1] = shape[0];
        known = with_extents(by, known, expected);
    }
    return known;
}

Output exact_channels(NodeContext& by, const Output& vector, const Output& x,
                      const std::string& what) {
    const PartialShape& shape = x.shape();
    const Dimension channels = !shape.has_rank()  ? Dimension()
                               : shape.rank() < 2 ? Dimension(1)
                                                  : shape[1];
    NodeContext::check_shape(vector, {channels}, what);
    if (vector.shape().has_rank() && vector.shape()[0].is_static()) return vector;
    return by.reshape_to(vector,
                         channels.is_static() ? by.ints({channels.length()}) : by.run_extent(x, 1));
}

Output channel_vector(NodeContext& by, const Output& vector, const Output& x,
                      const std::string& what) {
    const Output exact = exact_channels(by, vector, x, what);
    const std::size_t rank = x.shape().rank();
    return rank <= 2 ? exact : by.reshape(exact, along_axis_pattern(rank - 1));
}

Ints axes_from(const Output& x, std::int64_t axis) {
    const auto most = static_cast<std::int64_t>(kMaxAxes);
    if (x.shape().has_rank()) {
        const auto rank = static_cast<std::int64_t>(x.shape().rank());
        if (axis < -rank || axis >= rank) {
            throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                             std::to_string(rank));
        }
        if (axis >= 0) axis -= rank;
    }
    if (axis >= 0 || axis < -most) {
        throw UnsupportedError("axis is " + std::to_string(axis) +
                               ", but the rank of X isn't known");
    }
    return ints_from(axis, 0);
}

}  // namespace rondo::onnx
