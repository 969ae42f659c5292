// A result whose tensors take turns.
#include "plugins/cpu/plugin/run/memory_ranges.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::growing_result_test {
namespace {

TEST(GrowingResult, TakesTurnsWhereTheLastOneIsAnInput) {
    GrowingResult result;
    Tensor last = result.take({}, ElementType::f32, {3});
    for (std::size_t length = 4; length < 40; ++length) {
        last.data<float>()[0] = 7;
        const Tensor next = result.take({&last, 1}, ElementType::f32, {length});
        ASSERT_NE(next.data(), last.data());
        ASSERT_EQ(next.shape(), Shape{length});
        ASSERT_EQ(last.data<float>()[0], 7);
        last = next;
    }
    EXPECT_LT(result.bytes(), 4u * 40 * 4);
}

// As where a body carries the value of two iterations ago, too.
TEST(GrowingResult, AsManyTurnsAsInputsNeed) {
    GrowingResult result;
    std::vector<Tensor> inputs{result.take({}, ElementType::f32, {3})};
    inputs.push_back(result.take(inputs, ElementType::f32, {4}));
    inputs.push_back(result.take(inputs, ElementType::f32, {5}));
    EXPECT_NE(inputs[0].data(), inputs[2].data());
    EXPECT_NE(inputs[1].data(), inputs[2].data());
}

TEST(GrowingResult, AHandleThatIsKeptKeepsItsShape) {
    GrowingResult result;
    const Tensor kept = result.take({}, ElementType::f32, {3});
    const void* memory = kept.data();
    const Tensor next = result.take({}, ElementType::f32, {2});
    EXPECT_EQ(next.data(), memory);  // no input has it
    EXPECT_EQ(kept.shape(), Shape{3});
    result.clear();
    EXPECT_EQ(result.bytes(), 0u);
    EXPECT_EQ(next.shape(), Shape{2});  // its memory is there still
}

TEST(GrowingResult, NoElements) {
    GrowingResult result;
    EXPECT_EQ(result.take({}, ElementType::i64, {0, 4}).size(), 0u);
    EXPECT_EQ(result.take({}, ElementType::i64, {1, 4}).size(), 4u);
    EXPECT_EQ(result.take({}, ElementType::f32, {1, 4}).element_type(), ElementType::f32);
}

}  // namespace
}  // namespace rondo::cpu::growing_result_test
