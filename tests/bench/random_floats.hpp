// Input for benchmarks: small random numbers, the same in every run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace rondo::cpu::bench {

inline std::vector<float> random_floats(std::int64_t count) {
    static std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform(-0.1f, 0.1f);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = uniform(engine);
    return values;
}

}  // namespace rondo::cpu::bench
