// In which floating-point type a kernel computes.
#pragma once

#include <cstddef>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

enum class Precision { f32, f64 };

inline std::size_t bytes_of(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

/// For the names of kernels: "f32", "f64".
inline const char* name_of(Precision precision) {
    return precision == Precision::f64 ? "f64" : "f32";
}

/// The type of the arithmetic on elements of a floating type: f16 and bf16 are storage only.
inline Precision precision_of(ElementType type) {
    return type == ElementType::f64 ? Precision::f64 : Precision::f32;
}

}  // namespace rondo::cpu
