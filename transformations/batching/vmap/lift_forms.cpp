#include "transformations/batching/vmap/lift_forms.hpp"

#include <cstring>
#include <optional>

#include "core/ops/movement/movement_ops.hpp"
#include "core/support/errors.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// The extents after axis 0, if all are known and above 0: then a -1 in a pattern has one value.
std::optional<Ints> known_rest(const PartialShape& shape) {
    Ints rest;
    for (std::size_t i = 1; i < shape.rank(); ++i) {
        if (!shape[i].is_static() || shape[i] == Dimension(0)) return {};
        rest.push_back(shape[i].length());
    }
    return rest;
}

bool is_known(const Dimension& extent) { return extent.is_static() && extent != Dimension(0); }

Ints with_first(Ints first, const Ints& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
}

bool has_one_element(const Output& output) {
    const PartialShape& shape = output.shape();
    return shape.is_static() && element_count(shape.to_shape()) == 1;
}

// The only value of a constant's elements, as a scalar; an empty handle where they differ.
Tensor only_value(const Output& output) {
    const Tensor all = known_value(output);
    if (!all || all.size() == 0 || all.byte_size() % all.size() != 0) return {};
    const Tensor dense = all.contiguous();
    const std::size_t width = dense.byte_size() / dense.size();
    const auto* first = static_cast<const char*>(dense.data());
    for (std::size_t i = 1; i < dense.size(); ++i) {
        if (std::memcmp(first, first + i * width, width) != 0) return {};
    }
    Tensor value(all.element_type(), {});
    std::memcpy(value.data(), first, width);
    return value;
}

}  // namespace

Output LiftForms::elements_at(const Output& extents, const Ints& places) {
    return by_.gather(extents, by_.ints(places), 0);
}

Output LiftForms::elements_from(const Output& extents, std::int64_t first) {
    return by_.slice(extents, 0, first, ops::kSliceEnd);
}

Output LiftForms::rows() {
    if (rows_) return rows_;
    internal_check(can_count(), "no tensor says how many rows there are");
    rows_ = batch_.is_static() ? by_.ints({batch_.length()}) : elements_at(extents(counted_), {0});
    return rows_;
}

Output LiftForms::extents(const Output& tensor) {
    const PartialShape& shape = tensor.shape();
    if (!shape.is_static()) return by_.shape_of(tensor);
    Ints known;
    for (const Dimension& extent : shape.dimensions()) known.push_back(extent.length());
    return by_.ints(known);
}

Output LiftForms::joined(const std::vector<Output>& vectors) { return by_.concat(vectors, 0); }

Output LiftForms::merge(const Output& apart, const PartialShape& shape) {
    Formula by(rewriter(), apart.node().name() + "/merged");
    if (shape[0] == Dimension(1)) return by.squeeze(apart, {1});
    if (const auto rest = known_rest(shape)) return by.reshape(apart, with_first({-1}, *rest));
    const Output all = extents(apart);
    const Output first = by.reduce(ops::ReduceFunction::prod, elements_at(all, {0, 1}), {0});
    return by.make<ops::Reshape>(apart, joined({first, elements_from(all, 2)}));
}

Output LiftForms::separate(const Output& merged, const PartialShape& shape) {
    Formula by(rewriter(), merged.node().name() + "/apart");
    if (shape[0] == Dimension(1)) return by.unsqueeze(merged, {1});
    const auto rest = known_rest(shape);
    if (rest && is_known(shape[0])) {
        return by.reshape(merged, with_first({-1, shape[0].length()}, *rest));
    }
    Output pattern;
    if (rest) {
        pattern = joined({rows(), by.ints(with_first({-1}, *rest))});
    } else {
        const Output all = extents(merged);
        const Output own = by.divide(elements_at(all, {0}), rows());
        pattern = joined({rows(), own, elements_from(all, 1)});
    }
    return by.make<ops::Reshape>(merged, pattern);
}

const Output& LiftForms::apart(LiftedValue& value) {
    if (value.has_rows()) {
        if (!value.apart) value.apart = separate(value.merged, value.shape());
        return value.apart;
    }
    if (!value.repeated) value.repeated = repeated(value.plain);
    return value.repeated;
}

const Output& LiftForms::merged(LiftedValue& value) {
    internal_check(value.has_rows() && value.shape().rank() > 0, "only rows can be merged");
    if (!value.merged) value.merged = merge(value.apart, value.shape());
    return value.merged;
}

// 0, N times.
Output LiftForms::first_row() {
    if (!first_row_) first_row_ = by_.broadcast(by_.integer(0), rows());
    return first_row_;
}

// By Gather: beside an extent that is computed, inference wouldn't see the others of a Broadcast.
Output LiftForms::repeated(const Output& plain) {
    Formula by(rewriter(), plain.node().name() + "/repeated");
    if (plain.shape().rank() == 0) return by.broadcast(plain, rows());
    return by.gather(by.unsqueeze(plain, {0}), first_row(), 0);
}

Output LiftForms::filled(const Output& value, const PartialShape& shape) {
    Formula by(rewriter(), value.node().name() + "/repeated");
    Ints extents;
    for (const Dimension& extent : shape.dimensions()) extents.push_back(extent.min());
    return by.broadcast(value, extents.empty() ? rows() : joined({rows(), by.ints(extents)}));
}

// The places 0 to `count` - 1, N times.
Output LiftForms::places(std::int64_t count) {
    if (count == 1) return first_row();
    Ints all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
    return by_.reshape(by_.broadcast(by_.ints(all), joined({rows(), by_.ints({count})})), Ints{-1});
}

Output LiftForms::tiled(const Output& plain, std::size_t axis) {
    Formula by(rewriter(), plain.node().name() + "/repeated");
    const PartialShape& shape = plain.shape();
    // What passes know as the lengths of all rows, or as zeros, must still look so.
    if (shape == PartialShape{1}) return by.broadcast(plain, rows());
    if (const Tensor value = only_value(plain); value && axis == 0 && shape[0] == Dimension(1)) {
        const Shape known = shape.to_shape();
        return filled(by.constant(value), Shape(known.begin() + 1, known.end()));
    }
    if (is_known(shape[axis])) {
        return by.gather(plain, places(shape[axis].length()), static_cast<std::int64_t>(axis));
    }
    std::vector<Output> counts;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        counts.push_back(i == axis ? rows() : by.ints({1}));
    }
    const Output repeats = joined(counts);
    const auto* fill = as_op<ops::Broadcast>(plain.node());
    if (fill != nullptr && fill->mode() == ops::BroadcastMode::numpy &&
        has_one_element(fill->input(0)) && fill->input(1).element_type() == ElementType::i64) {
        return by.broadcast(fill->input(0), by.multiply(fill->input(1), repeats));
    }
    return by.make<ops::Tile>(plain, repeats);
}

}  // namespace rondo::passes
