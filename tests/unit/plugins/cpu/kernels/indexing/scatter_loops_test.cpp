#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace rondo::cpu::scatter_loops_test {
namespace {

using ops::ScatterReduction;

template <typename T>
std::vector<T> scattered(ScatterReduction reduction, std::vector<T> data, bool resets = false) {
    const ScatterLoops loops = scatter_loops(reduction, element_type_of<T>());
    const std::vector<std::int64_t> places{1, 1, 0};
    const std::vector<T> updates{T(3), T(5), T(7)};
    if (resets) loops.reset(data.data(), places.data(), 3);
    loops.at(data.data(), places.data(), updates.data(), 3);
    return data;
}

template <typename T>
void expect_all_reductions() {
    const std::vector<T> data{T(4), T(20), T(6)};
    using V = std::vector<T>;
    EXPECT_EQ(scattered(ScatterReduction::none, data), (V{T(7), T(5), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::sum, data), (V{T(11), T(28), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::sub, data), (V{T(4 - 7), T(12), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::prod, V{T(1), T(2), T(6)}), (V{T(7), T(30), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::min, data), (V{T(4), T(3), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::max, data), (V{T(7), T(20), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::sum, data, true), (V{T(7), T(8), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::prod, data, true), (V{T(7), T(15), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::min, data, true), (V{T(7), T(3), T(6)}));
    EXPECT_EQ(scattered(ScatterReduction::max, data, true), (V{T(7), T(5), T(6)}));
}

TEST(ScatterLoops, ReduceEveryType) {
    expect_all_reductions<double>();
    expect_all_reductions<float>();
    expect_all_reductions<std::int64_t>();
    expect_all_reductions<std::int32_t>();
    expect_all_reductions<std::int16_t>();
    expect_all_reductions<std::int8_t>();
    expect_all_reductions<std::uint64_t>();
    expect_all_reductions<std::uint32_t>();
    expect_all_reductions<std::uint16_t>();
    expect_all_reductions<std::uint8_t>();
}

TEST(ScatterLoops, KeepNaN) {
    for (const auto reduction : {ScatterReduction::min, ScatterReduction::max}) {
        const float nan = std::nanf("");
        std::vector<float> data{nan, 1};
        const std::vector<float> updates{1, nan};
        scatter_loops(reduction, ElementType::f32).run(data.data(), updates.data(), 2);
        EXPECT_TRUE(std::isnan(data[0]));
        EXPECT_TRUE(std::isnan(data[1]));
    }
}

TEST(ScatterLoops, HaveNoneForOtherTypes) {
    EXPECT_EQ(scatter_loops(ScatterReduction::sum, ElementType::f16).at, nullptr);
    EXPECT_EQ(scatter_loops(ScatterReduction::mean, ElementType::f32).at, nullptr);
    EXPECT_EQ(scatter_loops(ScatterReduction::sub, ElementType::boolean).at, nullptr);
    EXPECT_NE(scatter_loops(ScatterReduction::none, ElementType::bf16).at, nullptr);
}

}  // namespace
}  // namespace rondo::cpu::scatter_loops_test
