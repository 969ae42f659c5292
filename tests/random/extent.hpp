// Extents of random models: products of a number, N and T, so that each shape is known before N and
// T are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rondo/shape.hpp"

namespace rondo::test {

/// What the open extents of a random model become in one run.
struct Sizes {
    std::int64_t n = 1;  ///< batch
    std::int64_t t = 1;  ///< time
    std::int64_t k = 1;  ///< value of the input "k", 1 to 3: an extent that depends on data
};

/// factor * N^n * T^t * K^k.
struct Extent {
    std::int64_t factor = 1;
    int n = 0;
    int t = 0;
    int k = 0;

    bool is_known() const { return n == 0 && t == 0 && k == 0; }
    std::int64_t at(const Sizes& sizes) const {
        std::int64_t value = factor;
        for (int i = 0; i < n; ++i) value *= sizes.n;
        for (int i = 0; i < t; ++i) value *= sizes.t;
        for (int i = 0; i < k; ++i) value *= sizes.k;
        return value;
    }
    friend bool operator==(const Extent&, const Extent&) = default;
};

inline Extent operator*(const Extent& a, const Extent& b) {
    return {a.factor * b.factor, a.n + b.n, a.t + b.t, a.k + b.k};
}

using Extents = std::vector<Extent>;

inline constexpr Extent kN{1, 1, 0, 0};
inline constexpr Extent kT{1, 0, 1, 0};
inline constexpr Extent kK{1, 0, 0, 1};

inline Extent known(std::int64_t value) { return {value, 0, 0, 0}; }

inline Shape shape_at(const Extents& extents, const Sizes& sizes) {
    Shape shape;
    for (const auto& extent : extents) shape.push_back(static_cast<std::size_t>(extent.at(sizes)));
    return shape;
}

}  // namespace rondo::test
