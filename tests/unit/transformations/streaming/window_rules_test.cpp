// The rules of transformations/streaming/window_rules.cpp.
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::window_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 2}}};

Output slice(GraphBuilder& b, const Output& x, std::int64_t start, std::int64_t stop) {
    return b.make<ops::Slice>("cut", x, b.ints({start}), b.ints({stop}), b.ints({1}), b.ints({2}));
}

// x [2,3,T] -> convolution, 4 frames before -> y
TEST(WindowRules, KeepsTheFramesBeforeAConvolution) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    b.output("y", convolve(b, "conv", x, {5, 3, 3}, window_of({4}, {0}, {2})));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({2, 3, 19})}, kTime);
    ASSERT_EQ(made->sinks().size(), 1U);
    EXPECT_EQ(made->sinks().front()->input(0).shape().to_shape(), (Shape{2, 3, 4}));
}

// The batch stays open: the variable starts with as many rows as x has.
TEST(WindowRules, TakesAnyBatch) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3,?]");
    b.output("y", convolve(b, "conv", x, {5, 3, 2}, window_of({1}, {0})));
    for (const std::size_t batch : {1, 3}) {
        expect_same_in_chunks(*b.graph(), {noise({batch, 3, 9})}, kTime);
    }
}

// x [1,2,T,8] -> convolution over time and features, with pads along both -> y
TEST(WindowRules, KeepsPadsOfOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2,?,8]");
    b.output("y", convolve(b, "conv", x, {4, 2, 3, 3}, window_of({2, 1}, {0, 1})));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({1, 2, 17, 8})}, kTime);
    EXPECT_EQ(count_nodes(*made, "Concat"), 1U);
}

// x -> convolution with symmetric pads -> relu -> without the last frames -> y
TEST(WindowRules, FollowsPadsThatAreCutOffAgain) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output conv = convolve(b, "conv", x, {3, 3, 3}, window_of({4}, {4}, {2}));
    b.output("y", slice(b, relu(b, conv), 0, -4));
    expect_same_in_chunks(*b.graph(), {noise({1, 3, 20})}, kTime);
}

TEST(WindowRules, FollowsAutoPads) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    ops::ConvolutionAttributes window;
    window.auto_pad = ops::AutoPad::same_lower;
    b.output("y", convolve(b, "conv", x, {3, 3, 2}, window));
    expect_same_in_chunks(*b.graph(), {noise({1, 3, 20})}, kTime);
}

TEST(WindowRules, RefusesTheFuture) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    b.output("y", convolve(b, "conv", x, {3, 3, 3}, window_of({1}, {1})));
    expect_refused(b, "node 'conv' (Convolution)", "reads 1 frame of the future", kTime);
}

TEST(WindowRules, RefusesPadsThatStay) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output conv = convolve(b, "conv", x, {3, 3, 3}, window_of({2}, {2}));
    b.output("y", slice(b, conv, 0, -1));
    expect_refused(b, "'conv' (Convolution)", "1 frame that only the end", kTime);
}

TEST(WindowRules, RefusesStrides) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    auto window = window_of({2}, {0});
    window.strides = {2};
    b.output("y", convolve(b, "conv", x, {3, 3, 3}, window));
    expect_refused(b, "node 'conv'", "steps of 2 frames", kTime);
}

// Each element of x adds to three frames; the two after the last one are cut off.
TEST(WindowRules, FollowsTransposedConvolutions) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    const Output up = b.make<ops::ConvolutionBackpropData>(
        "up", std::vector<Output>{x, b.constant(noise({3, 4, 3}))}, ops::BackpropAttributes{});
    b.output("y", slice(b, up, 0, -2));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 18})}, kTime);
}

TEST(WindowRules, FollowsCroppedTransposedConvolutions) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    ops::BackpropAttributes attributes;
    attributes.window = window_of({0}, {4}, {2});
    b.output("y", b.make<ops::ConvolutionBackpropData>(
                      "up", std::vector<Output>{x, b.constant(noise({3, 4, 3}))}, attributes));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 18})}, kTime);
}

TEST(WindowRules, RefusesTransposedConvolutionsOfTheFuture) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    ops::BackpropAttributes attributes;
    attributes.window = window_of({1}, {1});
    b.output("y", b.make<ops::ConvolutionBackpropData>(
                      "up", std::vector<Output>{x, b.constant(noise({3, 4, 3}))}, attributes));
    expect_refused(b, "node 'up'", "frames of the future", kTime);
}

TEST(WindowRules, FollowsPools) {
    for (const bool is_max : {false, true}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3,?]");
        ops::PoolAttributes attributes;
        attributes.window = window_of({2}, {0});
        attributes.kernel = {3};
        const Output y = is_max ? Output(b.make<ops::MaxPool>("pool", x, attributes))
                                : Output(b.make<ops::AvgPool>("pool", x, attributes, false));
        b.output("y", y);
        expect_same_in_chunks(*b.graph(), {noise({2, 3, 16})}, kTime);
    }
}

TEST(WindowRules, RefusesPoolsThatCountTheirFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    ops::PoolAttributes attributes;
    attributes.window = window_of({2}, {0});
    attributes.kernel = {3};
    b.output("y", b.make<ops::AvgPool>("pool", x, attributes, true));
    expect_refused(b, "node 'pool' (AvgPool)", "counts the frames", kTime);
}

}  // namespace
}  // namespace rondo::window_rules_test
