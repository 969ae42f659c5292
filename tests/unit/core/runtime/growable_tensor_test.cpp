#include "core/runtime/growable_tensor.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "rondo/error.hpp"

namespace rondo::growable_tensor_test {
namespace {

TEST(GrowableTensor, KeepsItsMemory) {
    GrowableTensor tensor;
    EXPECT_FALSE(tensor.get());
    const void* memory = tensor.reshape(ElementType::f32, {4, 5}).data();
    EXPECT_EQ(tensor.reshape(ElementType::f32, {2}).data(), memory);
    EXPECT_EQ(tensor.get().shape(), Shape{2});
    EXPECT_EQ(tensor.reshape(ElementType::i64, {10}).data(), memory);
    EXPECT_EQ(tensor.get().element_type(), ElementType::i64);
    EXPECT_EQ(tensor.reshape(ElementType::f32, {0, 3}).byte_size(), 0u);
    tensor.clear();
    EXPECT_FALSE(tensor.get());
    EXPECT_EQ(tensor.reshape(ElementType::f32, {20}).data(), memory);
}

TEST(GrowableTensor, GrowsByHalfOrMore) {
    GrowableTensor tensor;
    tensor.reshape(ElementType::u8, {100});
    const void* memory = tensor.reshape(ElementType::u8, {101}).data();
    EXPECT_EQ(tensor.reshape(ElementType::u8, {150}).data(), memory);
    EXPECT_EQ(tensor.reshape(ElementType::u8, {1000}).size(), 1000u);
}

TEST(GrowableTensor, ManyShapesAreTensorsOfTheirOwn) {
    GrowableTensor tensor;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t count = 20; count > 0; --count) {
            EXPECT_EQ(tensor.reshape(ElementType::f32, {count}).shape(), Shape{count});
        }
    }
}

TEST(GrowableTensor, AHandleThatIsKeptKeepsItsShape) {
    GrowableTensor tensor;
    std::vector<Tensor> kept;
    for (std::size_t count = 200; count > 0; --count) {
        kept.push_back(tensor.reshape(ElementType::f32, {count}));
        tensor.reshape(ElementType::f32, {count, 0});  // is dropped
    }
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i].shape(), Shape{200 - i});
}

TEST(GrowableTensor, AHandleThatWasTakenOutlivesTheMemory) {
    GrowableTensor tensor;
    Tensor taken = tensor.reshape(ElementType::u8, {3});
    taken.data<std::uint8_t>()[2] = 7;
    tensor.reshape(ElementType::u8, {1000});
    EXPECT_EQ(taken.data<std::uint8_t>()[2], 7);
}

TEST(GrowableTensor, GivesBackMuchMoreThanIsNeeded) {
    GrowableTensor tensor;
    const std::size_t large = (std::size_t{64} << 20) + 1;
    const void* memory = tensor.reshape(ElementType::u8, {large}).data();
    EXPECT_EQ(tensor.reshape(ElementType::u8, {large / 2}).data(), memory);
    tensor.reshape(ElementType::u8, {8});
    const void* small = tensor.get().data();
    EXPECT_EQ(tensor.reshape(ElementType::u8, {4}).data(), small);
}

TEST(GrowableTensor, AnEmptyOneIsLeftWhereMemoryIsRefused) {
    GrowableTensor tensor;
    tensor.reshape(ElementType::f32, {2});
    const std::size_t huge = std::size_t{1} << 60;
    EXPECT_THROW(tensor.reshape(ElementType::f32, {huge, huge}), ModelError);
    EXPECT_EQ(tensor.reshape(ElementType::f32, {2}).size(), 2u);
}

}  // namespace
}  // namespace rondo::growable_tensor_test
