#include "transformations/lift/lift_forms.hpp"

#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/tile.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/support/errors.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// The extents behind axis 0, if all are known and above 0: then a -1 in a pattern is settled.
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
    const Output axis = rewriter_.make_constant("rows/axis", Tensor(ElementType::i64, {}));
    return rewriter_.make<ops::Gather>("rows/extent", extents, ints("rows/place", places), axis);
}

Output LiftForms::elements_from(const Output& extents, std::int64_t first) {
    constexpr auto kEnd = std::numeric_limits<std::int64_t>::max();
    return rewriter_.make<ops::Slice>("rows/rest", extents, ints("rows/first", {first}),
                                      ints("rows/end", {kEnd}), ints("rows/step", {1}),
                                      ints("rows/axes", {0}));
}

Output LiftForms::rows() {
    if (rows_) return rows_;
    internal_check(can_count(), "no tensor says how many rows there are");
    rows_ = batch_.is_static() ? ints("rows/number", {batch_.length()})
                               : elements_at(extents(counted_), {0});
    return rows_;
}

Output LiftForms::extents(const Output& tensor) {
    const PartialShape& shape = tensor.shape();
    if (!shape.is_static()) return rewriter_.make<ops::ShapeOf>("rows/extents", tensor);
    Ints known;
    for (const Dimension& extent : shape.dimensions()) known.push_back(extent.length());
    return ints("rows/extents", known);
}

Output LiftForms::joined(const std::string& name, std::vector<Output> vectors) {
    return rewriter_.make<ops::Concat>(name, std::move(vectors), 0);
}

Output LiftForms::merge(const Output& apart, const PartialShape& shape) {
    const std::string name = apart.node().name() + "/merged";
    if (shape[0] == Dimension(1)) {
        return rewriter_.make<ops::Squeeze>(name, apart, ints("rows/axes", {1}));
    }
    if (const auto rest = known_rest(shape)) {
        const Output pattern = ints("rows/pattern", with_first({-1}, *rest));
        return rewriter_.make<ops::Reshape>(name, apart, pattern);
    }
    const Output all = extents(apart);
    const Output first =
        rewriter_.make<ops::Reduce>("rows/product", ops::ReduceFunction::prod,
                                    elements_at(all, {0, 1}), ints("rows/axes", {0}), true);
    return rewriter_.make<ops::Reshape>(name, apart,
                                        joined("rows/pattern", {first, elements_from(all, 2)}));
}

Output LiftForms::separate(const Output& merged, const PartialShape& shape) {
    const std::string name = merged.node().name() + "/apart";
    if (shape[0] == Dimension(1)) {
        return rewriter_.make<ops::Unsqueeze>(name, merged, ints("rows/axes", {1}));
    }
    Output pattern;
    if (const auto rest = known_rest(shape); rest && is_known(shape[0])) {
        pattern = ints("rows/pattern", with_first({-1, shape[0].length()}, *rest));
    } else if (rest) {
        pattern = joined("rows/pattern", {rows(), ints("rows/rest", with_first({-1}, *rest))});
    } else {
        const Output all = extents(merged);
        const Output own = rewriter_.make<ops::Binary>("rows/own", ops::BinaryFunction::divide,
                                                       elements_at(all, {0}), rows());
        pattern = joined("rows/pattern", {rows(), own, elements_from(all, 1)});
    }
    return rewriter_.make<ops::Reshape>(name, merged, pattern);
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
    if (!first_row_) {
        const Output zero = rewriter_.make_constant("rows/zero", Tensor(ElementType::i64, {}));
        first_row_ = rewriter_.make<ops::Broadcast>("rows/first_row", zero, rows());
    }
    return first_row_;
}

// By Gather: beside an extent that is computed, inference wouldn't see the others of a Broadcast.
Output LiftForms::repeated(const Output& plain) {
    const std::string name = plain.node().name() + "/repeated";
    if (plain.shape().rank() == 0) return rewriter_.make<ops::Broadcast>(name, plain, rows());
    const Output row = rewriter_.make<ops::Unsqueeze>("rows/row", plain, ints("rows/axes", {0}));
    const Output axis = rewriter_.make_constant("rows/axis", Tensor(ElementType::i64, {}));
    return rewriter_.make<ops::Gather>(name, row, first_row(), axis);
}

Output LiftForms::filled(const Output& value, const PartialShape& shape) {
    Ints extents;
    for (const Dimension& extent : shape.dimensions()) extents.push_back(extent.min());
    const Output target =
        extents.empty() ? rows() : joined("rows/target", {rows(), ints("rows/extents", extents)});
    return rewriter_.make<ops::Broadcast>(value.node().name() + "/repeated", value, target);
}

// The places 0 to `count` - 1, N times.
Output LiftForms::places(std::int64_t count) {
    if (count == 1) return first_row();
    Ints all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
    const Output once = ints("rows/places", all);
    const Output target = joined("rows/target", {rows(), ints("rows/extents", {count})});
    const Output often = rewriter_.make<ops::Broadcast>("rows/places", once, target);
    return rewriter_.make<ops::Reshape>("rows/places", often, ints("rows/pattern", {-1}));
}

Output LiftForms::tiled(const Output& plain, std::size_t axis) {
    const std::string name = plain.node().name() + "/repeated";
    const PartialShape& shape = plain.shape();
    // What passes know as the lengths of all rows, or as zeros, must still look so.
    if (shape == PartialShape{1}) return rewriter_.make<ops::Broadcast>(name, plain, rows());
    if (const Tensor value = only_value(plain); value && axis == 0 && shape[0] == Dimension(1)) {
        const Shape known = shape.to_shape();
        return filled(rewriter_.make_constant(name, value), Shape(known.begin() + 1, known.end()));
    }
    if (is_known(shape[axis])) {
        Tensor place(ElementType::i64, {});
        *place.data<std::int64_t>() = static_cast<std::int64_t>(axis);
        return rewriter_.make<ops::Gather>(name, plain, places(shape[axis].length()),
                                           rewriter_.make_constant("rows/axis", std::move(place)));
    }
    std::vector<Output> counts;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        counts.push_back(i == axis ? rows() : ints("rows/one", {1}));
    }
    const Output repeats = joined("rows/repeats", std::move(counts));
    const auto* fill = as_op<ops::Broadcast>(plain.node());
    if (fill != nullptr && fill->mode() == ops::BroadcastMode::numpy &&
        has_one_element(fill->input(0)) && fill->input(1).element_type() == ElementType::i64) {
        const Output target = rewriter_.make<ops::Binary>(
            "rows/target", ops::BinaryFunction::multiply, fill->input(1), repeats);
        return rewriter_.make<ops::Broadcast>(name, fill->input(0), target);
    }
    return rewriter_.make<ops::Tile>(name, plain, repeats);
}

}  // namespace rondo::passes
