// Tests a part of core/graph/inference.hpp.
#include "core/graph/inference.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::known_extents_test {
namespace {

using test::GraphBuilder;
using Extents = std::vector<Dimension>;

const Dimension kOpen;

// The shape of an input [2,?,1..6].
Output shape_of_x(GraphBuilder& b) {
    return b.make<ops::ShapeOf>("shape", b.input("x", "[2,?,1..6]"));
}

TEST(KnownExtents, AreThoseOfATensorsShape) {
    GraphBuilder b;
    EXPECT_EQ(known_extents(shape_of_x(b)), (Extents{2, kOpen, {1, 6}}));
}

TEST(KnownExtents, AreThoseOfConstants) {
    GraphBuilder b;
    EXPECT_EQ(known_extents(b.ints({3, 0})), (Extents{3, 0}));
    EXPECT_TRUE(known_extents(b.ints({3, -1})).empty());
    EXPECT_TRUE(known_extents(b.ints(std::vector<std::int64_t>(65, 1))).empty());
}

TEST(KnownExtents, AreJoined) {
    GraphBuilder b;
    const Output given = b.input("given", "[1]", ElementType::i64);
    const Output joined =
        b.make<ops::Concat>("joined", std::vector<Output>{b.ints({7}), shape_of_x(b), given}, 0);
    EXPECT_EQ(known_extents(joined), (Extents{7, 2, kOpen, {1, 6}, kOpen}));
}

TEST(KnownExtents, AreTakenByIndex) {
    GraphBuilder b;
    const Output shape = shape_of_x(b);
    const Output two = b.make<ops::Gather>("two", shape, b.ints({-1, 0}), b.ints({0}));
    EXPECT_EQ(known_extents(two), (Extents{{1, 6}, 2}));
    const Output open =
        b.make<ops::Gather>("open", shape, b.input("i", "[1]", ElementType::i64), b.ints({0}));
    EXPECT_TRUE(known_extents(open).empty());
}

TEST(KnownExtents, AreSliced) {
    GraphBuilder b;
    const Output shape = shape_of_x(b);
    const Output last = b.make<ops::Slice>("last", shape, b.ints({-1}), b.ints({100}), b.ints({1}));
    EXPECT_EQ(known_extents(last), (Extents{{1, 6}}));
    const Output turned =
        b.make<ops::Slice>("turned", shape, b.ints({2}), b.ints({-100}), b.ints({-2}));
    EXPECT_EQ(known_extents(turned), (Extents{{1, 6}, 2}));
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output open = b.make<ops::Slice>("open", shape, b.ints({0}), stop, b.ints({1}));
    EXPECT_TRUE(known_extents(open).empty());
}

TEST(KnownExtents, PassViewsAndConversions) {
    GraphBuilder b;
    const Output one = b.make<ops::Gather>("one", shape_of_x(b), b.ints({2}), b.ints({0}));
    const Output scalar = b.make<ops::Squeeze>("scalar", one, b.ints({0}));
    const Output vector = b.make<ops::Unsqueeze>("vector", scalar, b.ints({0}));
    const Output same = b.make<ops::Reshape>("same", vector, b.ints({-1}), false);
    const Output narrow = b.make<ops::Convert>("narrow", same, ElementType::i32);
    EXPECT_EQ(known_extents(narrow), (Extents{{1, 6}}));
    const Output square = b.make<ops::Reshape>("square", vector, b.ints({1, 1}), false);
    EXPECT_TRUE(known_extents(square).empty());
    const Output floating = b.make<ops::Convert>("floating", vector, ElementType::f32);
    EXPECT_TRUE(known_extents(floating).empty());
}

TEST(KnownExtents, EndAfterManySteps) {
    GraphBuilder b;
    Output value = shape_of_x(b);
    for (int i = 0; i < kMostExtentSteps; ++i) {
        value = b.make<ops::Convert>("c" + std::to_string(i), value, ElementType::i64);
        EXPECT_EQ(known_extents(value).empty(), i + 1 == kMostExtentSteps) << i;
    }
}

TEST(KnownExtents, GiveABroadcastItsShape) {
    GraphBuilder b;
    const Output rows = b.make<ops::Gather>("rows", shape_of_x(b), b.ints({1}), b.ints({0}));
    const Output shape =
        b.make<ops::Concat>("target", std::vector<Output>{b.ints({1}), rows, b.ints({8})}, 0);
    const Output zeros =
        b.make<ops::Broadcast>("zeros", b.constant(test::scalar_of<float>(0)), shape);
    EXPECT_EQ(to_string(zeros.shape()), "[1,?,8]");
}

}  // namespace
}  // namespace rondo::known_extents_test
