// Tests a part of core/ops/reference/control/evaluate_bodies.hpp.
#include "core/ops/reference/control/evaluate_bodies.hpp"

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"

namespace rondo::parts_test {
namespace {

using namespace test;  // NOLINT: tests only

const Tensor kWhole = tensor_of<float>({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});

TEST(Parts, AreTakenAlongAnyAxis) {
    expect_same(reference::take_part(kWhole, 0, 1, 1),
                tensor_of<float>({1, 3, 2}, {6, 7, 8, 9, 10, 11}));
    expect_same(reference::take_part(kWhole, 1, 1, 2),
                tensor_of<float>({2, 2, 2}, {2, 3, 4, 5, 8, 9, 10, 11}));
    expect_same(reference::take_part(kWhole, 2, 1, 1),
                tensor_of<float>({2, 3, 1}, {1, 3, 5, 7, 9, 11}));
}

TEST(Parts, JoinedAreTheWhole) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<Tensor> parts, backwards;
        for (std::size_t i = 0; i < kWhole.shape()[axis]; ++i) {
            parts.push_back(reference::take_part(kWhole, axis, i, 1));
            backwards.insert(backwards.begin(), parts.back());
        }
        expect_same(reference::join_parts(parts, axis, false), kWhole);
        expect_same(reference::join_parts(backwards, axis, true), kWhole);
    }
}

TEST(Parts, MayBeEmpty) {
    const Tensor empty(ElementType::f32, {2, 0, 3});
    EXPECT_EQ(reference::take_part(empty, 0, 1, 1).shape(), (Shape{1, 0, 3}));
    const std::vector<Tensor> parts{empty, empty};
    EXPECT_EQ(reference::join_parts(parts, 2, false).shape(), (Shape{2, 0, 6}));
}

}  // namespace
}  // namespace rondo::parts_test
