// Matrix product of integers, in plain loops.
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// C [m,n], row-major = A [m,k] times B [k,n]; strides count elements. C overlaps neither.
struct IntegerGemm {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    std::int64_t m = 0;
    std::int64_t k = 0;
    std::int64_t n = 0;
    std::int64_t a_row = 0;
    std::int64_t a_column = 1;
    std::int64_t b_row = 0;
    std::int64_t b_column = 1;
};

/// Rows [begin, end) of C, modulo the width of `type`, an integer type.
void integer_gemm(ElementType type, const IntegerGemm& gemm, std::int64_t begin, std::int64_t end);

}  // namespace rondo::cpu
