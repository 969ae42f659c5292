// The bounds of f32 numbers, and how 8 bits stand for them.
#pragma once

#include <cstdint>

namespace rondo::cpu {

struct ByteRange {
    float low = 0;
    float high = 0;
};

struct ByteScale {
    float scale = 1;
    std::uint8_t zero_point = 0;
};

}  // namespace rondo::cpu
