#include "core/ops/reference/spectral/transform.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace rondo::reference {
namespace {

std::size_t least_factor(std::size_t n) {
    for (std::size_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}

// e^(-2 pi j i / n) for all i.
Spectrum unit_roots(std::size_t n) {
    Spectrum roots(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(n);
        roots[i] = std::polar(1.0, -2 * std::numbers::pi * part);
    }
    return roots;
}

}  // namespace

// For n = p m: the p transforms of every p-th number, and the sums of each of their numbers.
Spectrum transformed(const Spectrum& x) {
    const std::size_t n = x.size();
    if (n <= 1) return x;
    const std::size_t p = least_factor(n), m = n / p;
    const Spectrum roots = unit_roots(n);
    Spectrum y(n);
    for (std::size_t first = 0; first < p; ++first) {
        Spectrum part(m);
        for (std::size_t i = 0; i < m; ++i) part[i] = x[i * p + first];
        if (m > 1) part = transformed(part);
        for (std::size_t k = 0; k < n; ++k) y[k] += part[k % m] * roots[first * k % n];
    }
    return y;
}

Spectrum transformed_back(const Spectrum& x) {
    Spectrum y = x;
    for (auto& number : y) number = std::conj(number);
    y = transformed(y);
    for (auto& number : y) number = std::conj(number) / static_cast<double>(x.size());
    return y;
}

}  // namespace rondo::reference
