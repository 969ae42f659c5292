// The rules of transformations/streaming/extent_rules.cpp.
#include "core/ops/movement/movement_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::extent_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 1}}};

// Zeros as long as time are frames too.
TEST(ExtentRules, FollowValuesThatAreSpreadOverTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    const Output target = b.make<ops::Concat>(
        "", std::vector<Output>{b.ints({2}), extent_of(b, x, 1), b.ints({3})}, 0);
    const Output ones = b.make<ops::Broadcast>("", b.constant(scalar_of<float>(1)), target);
    b.output("y", b.make<ops::Concat>("", std::vector<Output>{ones, x}, 2));
    expect_same_in_chunks(*b.graph(), {noise({2, 15, 4})}, kTime);
}

TEST(ExtentRules, FollowBroadcastsBesideTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,4]");
    const Output target = b.make<ops::Concat>(
        "", std::vector<Output>{b.ints({3, 1}), extent_of(b, x, 1), b.ints({4})}, 0);
    b.output("y", b.make<ops::Broadcast>("", x, target));
    expect_same_in_chunks(*b.graph(), {noise({1, 15, 4})}, kTime);
}

// Two frames after the last one are repeated with the others, and cut off again.
TEST(ExtentRules, FollowBroadcastsOfFramesThatAreCutOff) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,4]");
    const Output padded = b.make<ops::Pad>(
        "", std::vector<Output>{x, b.ints({0, 0, 0}), b.ints({0, 2, 0})}, ops::PadMode::constant);
    const Output target = b.make<ops::Concat>(
        "", std::vector<Output>{b.ints({3}), extent_of(b, padded, 1), b.ints({4})}, 0);
    const Output wide = b.make<ops::Broadcast>("", padded, target);
    b.output("y",
             b.make<ops::Slice>("", wide, b.ints({0}), b.ints({-2}), b.ints({1}), b.ints({1})));
    expect_same_in_chunks(*b.graph(), {noise({1, 15, 4})}, kTime);
}

// One row for each frame of the original call, opened.
TEST(ExtentRules, OpenTargetsOfFixedFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,1,4]");
    b.output("y", b.make<ops::Broadcast>("", x, b.ints({3, 1, 4})));
    const auto graph = b.graph();
    Model(graph).make_streaming(kTime);
    EXPECT_EQ(run_whole(*graph, "CPU", {noise({1, 5, 4})}).front().shape(), (Shape{3, 5, 4}));
}

}  // namespace
}  // namespace rondo::extent_rules_test
