#include "plugins/cpu/kernels/product/determinant.hpp"

#include <algorithm>
#include <cmath>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

// Eliminates column k below row k; returns the pivot, with the sign of the exchange that it took.
double eliminate(double* matrix, std::int64_t n, std::int64_t k) {
    std::int64_t best = k;
    for (std::int64_t row = k + 1; row < n; ++row) {
        if (std::fabs(matrix[row * n + k]) > std::fabs(matrix[best * n + k])) best = row;
    }
    double* top = matrix + k * n;
    if (best != k) std::swap_ranges(top, top + n, matrix + best * n);
    const double pivot = top[k];
    if (pivot == 0) return pivot;
    for (std::int64_t row = k + 1; row < n; ++row) {
        double* other = matrix + row * n;
        const double factor = other[k] / pivot;
        for (std::int64_t i = k; i < n; ++i) other[i] -= factor * top[i];
    }
    return best != k ? -pivot : pivot;
}

double determinant(double* matrix, std::int64_t n) {
    double product = 1;
    for (std::int64_t k = 0; k < n; ++k) {
        const double pivot = eliminate(matrix, n, k);
        product *= pivot;
        if (pivot == 0) break;
    }
    return product;
}

}  // namespace

void write_determinants(const DeterminantArgs& args) {
    visit_floating(args.type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        const std::int64_t count = args.n * args.n;
        for (std::int64_t i = args.begin; i < args.end; ++i) {
            const T* from = static_cast<const T*>(args.from) + i * count;
            std::transform(from, from + count, args.matrix, [](T x) { return widened(x); });
            static_cast<T*>(args.to)[i] = rounded<T>(determinant(args.matrix, args.n));
        }
    });
}

}  // namespace rondo::cpu
