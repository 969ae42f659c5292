// Determinants of square matrices.
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Gauss's elimination in double, each pivot the greatest of its column; rounded once.
struct DeterminantArgs {
    ElementType type;
    const void* from;  ///< matrices [n, n]
    void* to;          ///< a number each
    std::int64_t n;
    std::int64_t begin;  ///< the matrices [begin, end)
    std::int64_t end;
    double* matrix;  ///< n * n numbers of scratch
};
void write_determinants(const DeterminantArgs& args);

}  // namespace rondo::cpu
