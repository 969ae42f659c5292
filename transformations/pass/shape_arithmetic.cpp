#include "transformations/pass/shape_elements.hpp"

#include <algorithm>

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using Result = std::optional<ShapeProduct>;

constexpr std::int64_t kMost = std::int64_t{1} << 24;

bool is_small(std::int64_t number) { return number >= -kMost && number <= kMost; }

bool is(const ShapeProduct& value, std::int64_t number) {
    return value.is_number() && value.number == number;
}

Result number(std::int64_t value) {
    return is_small(value) ? Result(ShapeProduct{value, {}}) : Result();
}

// The least and the greatest value.
struct Bounds {
    std::int64_t least = 1;
    std::int64_t most = 1;
};

std::int64_t limited_product(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0;
    return a > Dimension::kInfinity / b ? Dimension::kInfinity : a * b;
}

std::optional<Bounds> bounds_of(const ShapeProduct& value) {
    if (value.is_number()) return Bounds{value.number, value.number};
    if (value.number < 0) return {};
    Bounds bounds{value.number, value.number};
    for (const ShapeElement& extent : value.extents) {
        const Dimension& range = extent.tensor.shape()[extent.axis];
        bounds.least = limited_product(bounds.least, range.min());
        bounds.most = limited_product(bounds.most, range.max());
    }
    return bounds;
}

Result product(const ShapeProduct& a, const ShapeProduct& b) {
    if (is(a, 0) || is(b, 0)) return number(0);
    ShapeProduct result = a;
    result.number *= b.number;
    result.extents.insert(result.extents.end(), b.extents.begin(), b.extents.end());
    return is_small(result.number) ? Result(std::move(result)) : Result();
}

// By a number that divides the product for every extent.
Result quotient(const ShapeProduct& a, const ShapeProduct& b) {
    if (!b.is_number() || b.number <= 0 || a.number < 0) return {};
    if (!a.is_number() && a.number % b.number != 0) return {};
    return ShapeProduct{a.number / b.number, a.extents};
}

// The one that is never the smaller one.
Result greater_one(const ShapeProduct& a, const ShapeProduct& b, bool takes_smaller) {
    const auto one = bounds_of(a), other = bounds_of(b);
    if (!one || !other) return {};
    if (one->least >= other->most) return takes_smaller ? b : a;
    if (other->least >= one->most) return takes_smaller ? a : b;
    return {};
}

std::optional<bool> less(const Bounds& a, const Bounds& b) {
    if (a.most < b.least) return true;
    return a.least >= b.most ? std::optional(false) : std::nullopt;
}

std::optional<bool> inverted(std::optional<bool> value) {
    return value ? std::optional(!*value) : std::nullopt;
}

std::optional<bool> equal(const ShapeProduct& a, const ShapeProduct& b) {
    if (a == b) return true;
    const auto one = bounds_of(a), other = bounds_of(b);
    if (!one || !other) return {};
    const bool apart = one->most < other->least || other->most < one->least;
    return apart ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<ShapeProduct> computed(BinaryFunction function, const ShapeProduct& a,
                                     const ShapeProduct& b) {
    if (!is_small(a.number) || !is_small(b.number)) return {};
    const bool numbers = a.is_number() && b.is_number();
    switch (function) {
        case BinaryFunction::add:
            if (is(b, 0)) return a;
            if (is(a, 0)) return b;
            return numbers ? number(a.number + b.number) : Result();
        case BinaryFunction::subtract:
            if (is(b, 0)) return a;
            return numbers ? number(a.number - b.number) : Result();
        case BinaryFunction::multiply: return product(a, b);
        case BinaryFunction::divide: return quotient(a, b);
        case BinaryFunction::maximum: return greater_one(a, b, false);
        case BinaryFunction::minimum: return greater_one(a, b, true);
        default: return {};
    }
}

std::optional<bool> compared(CompareFunction function, const ShapeProduct& a,
                             const ShapeProduct& b) {
    if (function == CompareFunction::equal) return equal(a, b);
    if (function == CompareFunction::not_equal) return inverted(equal(a, b));
    const auto one = bounds_of(a), other = bounds_of(b);
    if (!one || !other) return {};
    switch (function) {
        case CompareFunction::less: return less(*one, *other);
        case CompareFunction::greater: return less(*other, *one);
        case CompareFunction::less_equal: return inverted(less(*other, *one));
        case CompareFunction::greater_equal: return inverted(less(*one, *other));
        default: return {};
    }
}

}  // namespace rondo::passes
