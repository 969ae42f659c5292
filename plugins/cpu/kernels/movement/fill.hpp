// Fills memory with one element.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// Writes the element, which has `size` bytes (1, 2, 4 or 8), `count` times. Nothing need be
/// aligned.
void fill_elements(void* to, const void* element, std::int64_t size, std::int64_t count);

}  // namespace rondo::cpu
