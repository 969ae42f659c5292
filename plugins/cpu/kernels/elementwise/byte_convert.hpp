// Conversions between f32 and the integers of quantized models, as loops that are vectorised.
#pragma once

#include "plugins/cpu/kernels/elementwise/element_loop.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Gives what convert_loop() gives, for elements that are walked: steps are 1. Null for other types
/// than f32 to integers of 8 and 16 bits, and these and i32 to f32, and 8 bits to i32.
ElementLoop<1> byte_convert_loop(ElementType from, ElementType to);

}  // namespace rondo::cpu
