#include "transformations/rows/extent_product.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace rondo::passes {
namespace {

auto key(const ExtentOrigin& origin) {
    return std::make_tuple(&origin.source.node(), origin.source.index(), origin.axis);
}

bool comes_before(const ExtentOrigin& a, const ExtentOrigin& b) { return key(a) < key(b); }

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) return {};
    return result;
}

}  // namespace

ExtentProduct ExtentProduct::of(const Output& tensor, std::size_t axis) {
    const Dimension& extent = tensor.shape()[axis];
    if (extent.is_static()) return ExtentProduct(extent.length());
    const ExtentOrigin origin = origin_of_extent(tensor, axis);
    const Dimension& known = origin.source.shape()[origin.axis];
    if (known.is_static()) return ExtentProduct(known.length());
    ExtentProduct result;
    result.symbols_ = {origin};
    return result;
}

std::optional<std::int64_t> ExtentProduct::number() const {
    return symbols_.empty() ? std::optional(factor_) : std::nullopt;
}

std::optional<ExtentProduct> ExtentProduct::times(const ExtentProduct& other) const {
    const auto factor = product(factor_, other.factor_);
    if (!factor) return {};
    ExtentProduct result(*factor);
    std::merge(symbols_.begin(), symbols_.end(), other.symbols_.begin(), other.symbols_.end(),
               std::back_inserter(result.symbols_), comes_before);
    return result;
}

std::optional<ExtentProduct> ExtentProduct::divided_by(const ExtentProduct& other) const {
    const bool is_whole = other.factor_ != 0 && factor_ % other.factor_ == 0;
    if (!is_whole || !std::includes(symbols_.begin(), symbols_.end(), other.symbols_.begin(),
                                    other.symbols_.end(), comes_before)) {
        return {};
    }
    ExtentProduct result(factor_ / other.factor_);
    std::set_difference(symbols_.begin(), symbols_.end(), other.symbols_.begin(),
                        other.symbols_.end(), std::back_inserter(result.symbols_), comes_before);
    return result;
}

std::optional<ExtentProduct> product_of_extents(const Output& tensor, std::size_t begin,
                                                std::size_t end) {
    std::optional<ExtentProduct> result{ExtentProduct()};
    for (std::size_t axis = begin; axis < end && result; ++axis) {
        result = result->times(ExtentProduct::of(tensor, axis));
    }
    return result;
}

}  // namespace rondo::passes
