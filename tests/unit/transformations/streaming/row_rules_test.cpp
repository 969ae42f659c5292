// The rules of transformations/streaming/row_rules.cpp.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::row_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 1}}};

Output binary(GraphBuilder& b, ops::BinaryFunction function, const Output& x, const Output& y) {
    return b.make<ops::Binary>("binary", function, x, y);
}

Output sum_of(GraphBuilder& b, const Output& x, const Output& y) {
    return binary(b, ops::BinaryFunction::add, x, y);
}

// x [N,T,4] times a matrix, plus a row for all frames, in parts and put together again.
TEST(RowRules, FollowRowsOfAnyOp) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    Output y = b.make<ops::MatMul>("", x, b.constant(noise({4, 6})));
    y = b.make<ops::Softmax>("", sum_of(b, y, b.constant(noise({6}))), std::int64_t{-1});
    b.output("y", sum_of(b, y, b.constant(noise({1, 1, 6}))));
    const auto made = expect_same_in_chunks(*b.graph(), {noise({3, 15, 4})}, kTime);
    EXPECT_TRUE(made->sinks().empty());
    EXPECT_EQ(made->parameters()[0]->rt_info().at("rondo_time_axis"), "1");
    EXPECT_EQ(made->results()[0]->rt_info().at("rondo_time_axis"), "1");
}

TEST(RowRules, FollowRollsOfOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", b.make<ops::Roll>("r", x, b.ints({1, -1}), b.ints({0, 2})));
    expect_same_in_chunks(*b.graph(), {noise({2, 15, 4})}, kTime);
    GraphBuilder along_time;
    const Output frames = along_time.input("x", "[2,?,4]");
    along_time.output(
        "y", along_time.make<ops::Roll>("r", frames, along_time.ints({1}), along_time.ints({1})));
    expect_refused(along_time, "node 'r' (Roll)", "all frames at once", kTime);
}

// A further input without time is the same for all frames.
TEST(RowRules, FollowInputsWithoutTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", sum_of(b, x, b.input("speaker", "[2,1,4]")));
    const auto made =
        expect_same_in_chunks(*b.graph(), {noise({2, 15, 4}), noise({2, 1, 4})}, kTime);
    EXPECT_FALSE(made->parameters()[1]->rt_info().contains("rondo_time_axis"));
}

TEST(RowRules, RefuseWhatMixesFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", b.make<ops::Softmax>("weights", x, std::int64_t{1}));
    expect_refused(b, "node 'weights' (SoftMax)", "all frames at once", kTime);
}

// Attention: each frame meets all others.
TEST(RowRules, RefuseProductsOfFramesWithFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", b.make<ops::MatMul>("scores", x, b.transpose(x, {0, 2, 1})));
    expect_refused(b, "node 'scores' (MatMul)", "all frames at once", kTime);
}

TEST(RowRules, RefuseConstantsThatChangeWithTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", sum_of(b, x, b.constant(noise({1, 7, 1}))));
    expect_refused(b, "node 'binary' (Add)", "all frames at once", kTime);
}

TEST(RowRules, RefusePositions) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    const Output steps = b.squeeze(extent_of(b, x, 1), {0});
    const Output places =
        b.make<ops::Range>("", b.constant(scalar_of<std::int64_t>(0)), steps,
                           b.constant(scalar_of<std::int64_t>(1)), ElementType::f32);
    b.output("y", sum_of(b, x, b.unsqueeze(places, {1})));
    expect_refused(b, "node 'binary' (Add)", "depends on their number", kTime);
}

TEST(RowRules, RefuseRandomNumbers) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    const Output noise = b.make<ops::RandomUniform>(
        "noise", b.ints({2, 1, 4}), b.constant(scalar_of<float>(0)),
        b.constant(scalar_of<float>(1)), ElementType::f32, ops::RandomSeed{});
    b.output("y", sum_of(b, x, noise));
    expect_refused(b, "node 'noise' (RandomUniform)", "other numbers in each call", kTime);
}

// The state of a step that is written out would be the same for all frames of a chunk.
TEST(RowRules, RefuseAStateBesideFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    const Output sum = sum_of(b, x, b.read("state", "[2,1,4]"));
    b.output("y", sum);
    b.assign("state",
             b.make<ops::Gather>("", sum, b.ints({-1}), b.constant(scalar_of<std::int64_t>(1))));
    expect_refused(b, "node 'binary' (Add)", "a state that each of them would change", kTime);
}

TEST(RowRules, RefuseAVariableOfAllFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    const Output old = b.read("old", "[2,?,4]");
    b.output("y", relu(b, x));
    b.output("z", relu(b, old));
    b.assign("old", x);
    expect_refused(b, "node 'assign_old' (Assign)", "as many frames as the call", kTime);
}

// A mean that each call moves once: as many calls, as many moves.
TEST(RowRules, RefuseStatesThatACallComputes) {
    for (const bool is_shown : {false, true}) {
        GraphBuilder b;
        const Output x = b.input("x", "[2,?,4]");
        const Output last =
            b.make<ops::Gather>("", x, b.ints({-1}), b.constant(scalar_of<std::int64_t>(1)));
        const Output mean = b.read("mean", "[2,1,4]");
        const Output next = sum_of(b, mean, last);
        b.output("y", is_shown ? next : relu(b, x));
        b.assign("mean", is_shown ? last : next);
        if (is_shown) {
            expect_refused(b, "node 'binary' (Add)", "the state that each call starts from", kTime);
        } else {
            expect_refused(b, "node 'assign_mean' (Assign)", "computed once a call", kTime);
        }
    }
}

TEST(RowRules, RefuseToShowAVariable) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", b.transpose(b.read("last", "[2,1,4]"), {1, 0, 2}));
    b.assign("last",
             b.make<ops::Gather>("", x, b.ints({-1}), b.constant(scalar_of<std::int64_t>(1))));
    expect_refused(b, "(Transpose, as Reshape)", "the state that each call starts from", kTime);
}

TEST(RowRules, RefuseToShowTheNumberOfFrames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,4]");
    b.output("y", b.make<ops::Convert>("", extent_of(b, x, 1), ElementType::f32));
    b.output("z", x);
    expect_refused(b, "(Result)", "shows the number of frames", kTime);
}

}  // namespace
}  // namespace rondo::row_rules_test
