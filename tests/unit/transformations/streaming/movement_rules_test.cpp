// The rules of transformations/streaming/movement_rules.cpp.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::movement_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 2}}};
constexpr std::int64_t kEnd = std::int64_t{1} << 40;

Output slice(GraphBuilder& b, const Output& x, const Output& start, const Output& stop) {
    return b.make<ops::Slice>("cut", x, start, stop, b.ints({1}), b.ints({2}));
}

Output slice(GraphBuilder& b, const Output& x, std::int64_t start, std::int64_t stop) {
    return slice(b, x, b.ints({start}), b.ints({stop}));
}

Output pad(GraphBuilder& b, const Output& x, std::int64_t begin, std::int64_t end,
           ops::PadMode mode = ops::PadMode::constant) {
    return b.make<ops::Pad>("pad",
                            std::vector<Output>{x, b.ints({0, 0, begin}), b.ints({0, 0, end}),
                                                b.constant(scalar_of<float>(0.25F))},
                            mode);
}

// x -> Pad before -> relu -> convolution -> y: the variable starts with the pad value.
TEST(MovementRules, FollowsAPadBeforeAConvolution) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3,?]");
    b.output("y", convolve(b, "conv", relu(b, pad(b, x, 2, 0)), {4, 3, 3}, {}));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 15})}, kTime);
}

// The pad's frames are more than the window reads: the rest comes out again as a delay.
TEST(MovementRules, FollowsADelay) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output before = slice(b, pad(b, x, 3, 0), 0, -3);
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::subtract, x, before));
    expect_same_in_chunks(*b.graph(), {noise({1, 3, 15})}, kTime);
}

TEST(MovementRules, FollowsAPadThatIsCutOff) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output stop = b.make<ops::Slice>("", b.make<ops::ShapeOf>("", x), b.ints({2}),
                                           b.ints({3}), b.ints({1}), b.ints({0}));
    b.output("y", slice(b, relu(b, pad(b, x, 0, 5)), b.ints({0}), stop));
    b.output("z", relu(b, x));
    expect_same_in_chunks(*b.graph(), {noise({1, 3, 15})}, kTime);
}

TEST(MovementRules, RefusesAPadThatStays) {
    GraphBuilder b;
    b.output("y", pad(b, b.input("x", "[1,3,?]"), 0, 1));
    expect_refused(b, "node 'pad' (Pad)", "only the end of the sequence", kTime);
}

TEST(MovementRules, RefusesALongerResult) {
    GraphBuilder b;
    b.output("y", pad(b, b.input("x", "[1,3,?]"), 1, 0));
    expect_refused(b, "(because of node 'pad' (Pad))", "gives 1 frame more", kTime);
}

TEST(MovementRules, RefusesReflectedFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4..]");
    b.output("y", convolve(b, "conv", pad(b, x, 2, 0, ops::PadMode::reflect), {4, 3, 3}, {}));
    expect_refused(b, "node 'pad' (Pad)", "repeats frames before the first", kTime);
}

// A lookahead: the first frames go, and zeros follow the last one.
TEST(MovementRules, RefusesAShiftToTheStart) {
    GraphBuilder b;
    b.output("y", pad(b, b.input("x", "[1,3,2..]"), -2, 2));
    expect_refused(b, "node 'pad' (Pad)", "towards the start", kTime);
    GraphBuilder c;
    c.output("y", slice(c, c.input("x", "[1,3,2..]"), 1, kEnd));
    expect_refused(c, "node 'cut' (Slice)", "towards the start", kTime);
}

// Concat(constant, x) -> convolution -> y: the first frames are those of the constant.
TEST(MovementRules, FollowsConstantFramesBeforeX) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    const Output all = b.make<ops::Concat>(
        "all",
        std::vector<Output>{b.constant(noise({2, 3, 1})), b.constant(noise({2, 3, 1}, 8)), x}, -1);
    b.output("y", convolve(b, "conv", all, {4, 3, 3}, {}));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 15})}, kTime);
}

// A cache that the model keeps itself: cache ++ x -> convolution -> y, its last frames -> cache
TEST(MovementRules, FollowsACacheThatIsAVariable) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    const Output all =
        b.make<ops::Concat>("all", std::vector<Output>{b.read("cache", "[2,3,2]"), x}, 2);
    b.output("y", convolve(b, "conv", all, {4, 3, 3}, {}));
    b.assign("cache", slice(b, all, -2, kEnd));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({2, 3, 15})}, kTime);
    EXPECT_EQ(made->sinks().size(), 1U);
}

TEST(MovementRules, RefusesACacheOfMoreFramesThanThereAre) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    const Output all =
        b.make<ops::Concat>("all", std::vector<Output>{b.read("cache", "[2,3,2]"), x}, 2);
    b.output("y", convolve(b, "conv", all, {4, 3, 3}, {}));
    b.assign("cache", slice(b, slice(b, all, -4, kEnd), 0, 2));
    expect_refused(b, "node 'cut' (Slice)", "more frames than a chunk has", kTime);
}

TEST(MovementRules, RefusesFramesBehindFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    b.output("y", b.make<ops::Concat>("twice", std::vector<Output>{x, x}, 2));
    expect_refused(b, "node 'twice' (Concat)", "puts frames behind frames", kTime);
}

TEST(MovementRules, FollowsOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,4,?]");
    const auto halves =
        b.make<ops::Split>("", x, b.constant(scalar_of<std::int64_t>(1)), std::int64_t{2});
    const Output rows =
        b.make<ops::Gather>("", x, b.ints({3, 0}), b.constant(scalar_of<std::int64_t>(1)));
    const Output joined =
        b.make<ops::Concat>("", std::vector<Output>{halves->output(1), rows, halves->output(0)}, 1);
    b.output("y", convolve(b, "conv", b.transpose(b.transpose(joined, {2, 0, 1}), {1, 2, 0}),
                           {4, 6, 2}, window_of({1}, {0})));
    expect_same_in_chunks(*b.graph(), {noise({2, 4, 15})}, kTime);
}

// The last frame alone is a new value for each chunk.
TEST(MovementRules, FollowsTheLastFrame) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,4,?]");
    b.output("y",
             b.make<ops::Gather>("last", x, b.ints({-1}), b.constant(scalar_of<std::int64_t>(2))));
    expect_same_in_chunks(*b.graph(), {noise({2, 4, 15})}, kTime);
}

TEST(MovementRules, RefusesTheFirstFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,4,?]");
    b.output("y",
             b.make<ops::Gather>("first", x, b.ints({0}), b.constant(scalar_of<std::int64_t>(2))));
    expect_refused(b, "node 'first' (Gather)", "by their places", kTime);
    GraphBuilder c;
    c.output("y", slice(c, c.input("x", "[1,3,?]"), 0, 4));
    expect_refused(c, "node 'cut' (Slice)", "takes the first frames", kTime);
}

}  // namespace
}  // namespace rondo::movement_rules_test
