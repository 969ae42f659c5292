// Products of extents that may be open, as symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transformations/common/extent_origin.hpp"

namespace rondo::passes {

/// A number times extents that only a run knows, each named by the place where it first stands in
/// the graph. Two equal products are the same number in every run.
class ExtentProduct {
public:
    ExtentProduct() = default;  ///< 1
    explicit ExtentProduct(std::int64_t number) : factor_(number) {}
    /// The extent of an axis of a tensor whose rank is known.
    static ExtentProduct of(const Output& tensor, std::size_t axis);

    /// Nothing where an extent is open.
    std::optional<std::int64_t> number() const;
    /// As extents are; a factor may not be.
    bool is_never_negative() const { return factor_ >= 0; }
    /// Nothing where the number doesn't fit.
    std::optional<ExtentProduct> times(const ExtentProduct& other) const;
    /// Nothing where it isn't certain to be a whole number.
    std::optional<ExtentProduct> divided_by(const ExtentProduct& other) const;

    friend bool operator==(const ExtentProduct&, const ExtentProduct&) = default;

private:
    std::int64_t factor_ = 1;
    std::vector<ExtentOrigin> symbols_;  // sorted
};

/// The product of the extents of the axes in [begin, end).
std::optional<ExtentProduct> product_of_extents(const Output& tensor, std::size_t begin,
                                                std::size_t end);

}  // namespace rondo::passes
