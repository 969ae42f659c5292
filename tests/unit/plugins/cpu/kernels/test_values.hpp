// Random values from a seed that is printed, and buffers that notice writes outside.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace rondo::cpu::tests {

/// 20240917, or RONDO_TEST_SEED. Printed once, so that a failure can be replayed.
inline std::uint32_t seed() {
    static const std::uint32_t value = [] {
        const char* text = std::getenv("RONDO_TEST_SEED");
        const auto chosen =
            static_cast<std::uint32_t>(text == nullptr ? 20240917 : std::stoul(text));
        std::cout << "seed " << chosen << " (replay: RONDO_TEST_SEED=" << chosen << ")\n";
        return chosen;
    }();
    return value;
}

/// Uniform in [-scale, scale].
class Random {
public:
    Random() : engine_(seed()) {}

    std::vector<float> floats(std::int64_t count, float scale = 1.0f) {
        std::uniform_real_distribution<float> uniform(-scale, scale);
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& value : values) value = uniform(engine_);
        return values;
    }

    std::vector<double> doubles(std::int64_t count, double scale = 1.0) {
        std::uniform_real_distribution<double> uniform(-scale, scale);
        std::vector<double> values(static_cast<std::size_t>(count));
        for (double& value : values) value = uniform(engine_);
        return values;
    }

    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }

private:
    std::mt19937 engine_;
};

/// `size` floats between guards; check() fails where a guard was written.
class GuardedBuffer {
public:
    explicit GuardedBuffer(std::int64_t size)
        : size_(static_cast<std::size_t>(size)), memory_(size_ + 2 * kGuards, kGuardValue) {
        std::fill(data(), data() + size_, kUnwritten);
    }
    explicit GuardedBuffer(const std::vector<float>& values)
        : GuardedBuffer(static_cast<std::int64_t>(values.size())) {
        std::copy(values.begin(), values.end(), data());
    }

    float* data() { return memory_.data() + kGuards; }
    std::vector<float> values() { return std::vector<float>(data(), data() + size_); }

    void check(const std::string& what) {
        for (std::size_t i = 0; i < kGuards; ++i) {
            ASSERT_EQ(memory_[i], kGuardValue) << what << ": written before its start";
            ASSERT_EQ(memory_[kGuards + size_ + i], kGuardValue)
                << what << ": written past its end";
        }
    }

private:
    static constexpr std::size_t kGuards = 32;
    static constexpr float kGuardValue = -12345.678f;
    static constexpr float kUnwritten = 9999.0f;
    std::size_t size_;
    std::vector<float> memory_;
};

/// Same bits; two NaN count as the same. Numbers of other types are compared as doubles.
template <typename T>
bool same_bits(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

template <typename A, typename B>
void expect_same_bits(const std::vector<A>& got, const std::vector<B>& expected,
                      const std::string& what) {
    ASSERT_EQ(got.size(), expected.size()) << what;
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(same_bits<double>(got[i], expected[i]))
            << what << ": element " << i << " is " << got[i] << ", expected " << expected[i];
    }
}

template <typename T>
void expect_near(const std::vector<T>& got, const std::vector<double>& expected, double tolerance,
                 const std::string& what) {
    ASSERT_EQ(got.size(), expected.size()) << what;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double allowed = tolerance * (1.0 + std::abs(expected[i]));
        ASSERT_NEAR(got[i], expected[i], allowed) << what << ": element " << i;
    }
}

}  // namespace rondo::cpu::tests
