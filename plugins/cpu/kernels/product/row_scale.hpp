// How the integers of a quantised row stand for numbers.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// A number is scale * (its integer - zero).
struct RowScale {
    float scale = 0;
    std::int32_t zero = 0;
};

}  // namespace rondo::cpu
