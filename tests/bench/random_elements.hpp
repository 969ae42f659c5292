// Input for benchmarks, in any type that weights have.
#pragma once

#include <cstddef>
#include <vector>

#include "rondo/element_type.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {

inline float integers_of_one(ElementType type) { return type == ElementType::i8 ? 1270.0F : 3e5F; }

inline std::vector<std::byte> random_elements(ElementType type, std::int64_t count) {
    const std::vector<float> values = random_floats(count);
    std::vector<std::byte> bytes(values.size() * size_of(type));
    for (std::size_t i = 0; i < values.size(); ++i) {
        void* to = bytes.data() + i * size_of(type);
        switch (type) {
            case ElementType::f64: *static_cast<double*>(to) = values[i]; break;
            case ElementType::f16: *static_cast<float16*>(to) = float16(values[i]); break;
            case ElementType::bf16: *static_cast<bfloat16*>(to) = bfloat16(values[i]); break;
            case ElementType::i8:
                *static_cast<std::int8_t*>(to) =
                    static_cast<std::int8_t>(integers_of_one(type) * values[i]);
                break;
            case ElementType::i16:
                *static_cast<std::int16_t*>(to) =
                    static_cast<std::int16_t>(integers_of_one(type) * values[i]);
                break;
            default: *static_cast<float*>(to) = values[i]; break;
        }
    }
    return bytes;
}

}  // namespace rondo::cpu::bench
