#include "transformations/batching/prove_rows.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::find_row_axes_test {
namespace {

using namespace test;  // NOLINT: tests only

// "x 0, y - | r 0 | v 1": the axes of inputs, outputs and variables; or the obstacle.
std::string axes_of(const Graph& graph, const RowAxesHint& hint = {}) {
    const RowAxes axes = find_row_axes(graph, hint);
    if (!axes.obstacle.empty()) return axes.obstacle;
    std::string text;
    for (const auto* list : {&axes.inputs, &axes.outputs, &axes.variables}) {
        for (const auto& axis : *list) text += axis ? std::to_string(*axis) : "-";
        text += "|";
    }
    return text;
}

std::string axes_of(GraphBuilder& b, const Output& y) {
    b.output("y", y);
    return axes_of(*b.graph());
}

Output scalar(GraphBuilder& b, std::int64_t value) {
    return b.constant(tensor_of<std::int64_t>({}, {value}));
}

TEST(FindRowAxes, FollowsElementwiseOps) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output row = b.constant(tensor_of<float>({1, 4}, {1, 2, 3, 4}));
    EXPECT_EQ(axes_of(b, add(b, add(b, x, row), x)), "0|0||");
}

// A constant of two rows fits a batch of two alone.
TEST(FindRowAxes, RefusesAConstantOfSeveralRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output rows = b.constant(tensor_of<float>({2, 2}, {1, 2, 3, 4}));
    EXPECT_THAT(axes_of(b, b.make<ops::Binary>("sum", ops::BinaryFunction::add, x, rows)),
                testing::HasSubstr("node 'sum' (Add): its input 1 is the same for all streams"));
}

TEST(FindRowAxes, FollowsRollsOfOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output features = b.make<ops::Roll>("features", x, b.ints({1}), b.ints({-1}));
    EXPECT_EQ(axes_of(b, features), "0|0||");
    GraphBuilder other;
    const Output rows = other.input("x", "[?,4]");
    const Output mixed = other.make<ops::Roll>("mixed", rows, other.ints({1}), other.ints({0}));
    EXPECT_THAT(axes_of(other, mixed), testing::HasSubstr("node 'mixed' (Roll)"));
}

TEST(FindRowAxes, SharesScalars) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    EXPECT_EQ(axes_of(b, add(b, x, b.input("rate", "[]"))), "0-|0||");
}

TEST(FindRowAxes, FindsAnotherAxisThanTheFirst) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const Output sum = b.make<ops::CumSum>("sum", x, scalar(b, 0), ops::CumSum::Options());
    EXPECT_EQ(axes_of(b, sum), "1|1||");
}

TEST(FindRowAxes, TakesAHint) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, x));
    const auto graph = b.graph();
    EXPECT_EQ(axes_of(*graph), "0|0||");
    EXPECT_EQ(axes_of(*graph, {{"x", 1}}), "1|1||");
    EXPECT_THAT(axes_of(*graph, {{"x", std::nullopt}}), testing::HasSubstr("no input has"));
    expect_error<ModelError>([&] { axes_of(*graph, {{"z", 0}}); }, "there is no input 'z'");
    expect_error<ModelError>([&] { axes_of(*graph, {{"x", 3}}); }, "no axis 3");
}

TEST(FindRowAxes, FollowsVariables) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output state = b.read("s", "[2,?,4]");
    const Output next = add(b, state, x);
    b.assign("s", next);
    EXPECT_EQ(axes_of(b, next), "0|1|1|");
}

TEST(FindRowAxes, RefusesAVariableThatMixesRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output state = b.read("s", "[1,4]");
    const Output mean =
        b.make<ops::Reduce>("mean", ops::ReduceFunction::mean, x, b.ints({0}), true);
    b.assign("s", add(b, state, mean));
    EXPECT_THAT(axes_of(b, x), testing::HasSubstr("node 'mean' (ReduceMean)"));
}

TEST(FindRowAxes, FollowsMergedRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7,4]");
    const Output flat = b.reshape(x, {-1, 4});
    const Output w = b.constant(tensor_of<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
    const Output y = b.make<ops::MatMul>("m", flat, w);
    EXPECT_EQ(axes_of(b, b.reshape(y, {-1, 7, 2})), "0|0||");
}

// [N,7,4] as [N*7,4] is right, as [7,N*4] it isn't.
TEST(FindRowAxes, RefusesAReshapeThatMixesRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7,4]");
    const Output mixed = b.make<ops::Reshape>("mixed", x, b.ints({7, -1, 4}), false);
    EXPECT_THAT(axes_of(b, mixed),
                testing::HasSubstr("node 'mixed' (Reshape): its shape doesn't keep the rows"));
}

TEST(FindRowAxes, FollowsComputedShapes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const Output shape = b.make<ops::ShapeOf>("", x);
    const Output n = b.make<ops::Gather>("", shape, b.ints({0}), scalar(b, 0));
    const Output target = b.make<ops::Concat>("", std::vector<Output>{n, b.ints({-1})}, 0);
    const Output flat = b.make<ops::Reshape>("", x, target, false);
    const Output zeros_shape =
        b.make<ops::Concat>("", std::vector<Output>{b.ints({2}), n, b.ints({3})}, 0);
    const Output zeros =
        b.make<ops::Broadcast>("", b.constant(tensor_of<float>({}, {0})), zeros_shape);
    b.output("z", zeros);
    EXPECT_EQ(axes_of(b, flat), "0|10||");
}

// [N,2,4] as [N*8/4,4].
TEST(FindRowAxes, FollowsQuotientsOfExtents) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2,4]");
    const Output all =
        b.make<ops::Binary>("", ops::BinaryFunction::multiply, extent_of(b, x, 0), b.ints({8}));
    const Output rows = b.make<ops::Binary>("", ops::BinaryFunction::divide, all, b.ints({4}));
    const Output target = b.make<ops::Concat>("", std::vector<Output>{rows, b.ints({4})}, 0);
    EXPECT_EQ(axes_of(b, b.make<ops::Reshape>("", x, target, false)), "0|0||");
}

// PyTorch's expand(): -1 asks for the extent of the data, and no extent is -1.
TEST(FindRowAxes, FollowsExtentsThatAreComparedWithMinusOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output asked =
        b.make<ops::Concat>("", std::vector<Output>{extent_of(b, x, 0), b.ints({-1})}, 0);
    const Output is_none =
        b.make<ops::Compare>("", ops::CompareFunction::equal, asked, b.ints({-1, -1}));
    const Output target = b.make<ops::Select>("", is_none, b.ints({1, 1}), asked);
    const Output zeros = b.make<ops::Broadcast>("", b.constant(scalar_of<float>(0)), target);
    EXPECT_EQ(axes_of(b, zeros), "0|0||");
}

// x [N,4] as [N,N,4]: each stream would see the rows of all.
TEST(FindRowAxes, RefusesRowsThatAreRepeatedForEachStream) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output target =
        b.make<ops::Concat>("", std::vector<Output>{extent_of(b, x, 0), b.ints({1, 4})}, 0);
    const Output wide =
        b.make<ops::Broadcast>("wide", x, target, ops::BroadcastMode::bidirectional);
    EXPECT_THAT(axes_of(b, wide), testing::HasSubstr("node 'wide' (Broadcast): it repeats rows"));
}

TEST(FindRowAxes, RefusesWhatComputesWithTheNumberOfStreams) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const Output n =
        b.make<ops::Gather>("n", b.make<ops::ShapeOf>("", x), scalar(b, 0), scalar(b, 0));
    const Output more = b.make<ops::Binary>("more", ops::BinaryFunction::add, n, scalar(b, 1));
    EXPECT_THAT(axes_of(b, more), testing::HasSubstr("node 'more' (Add): it computes with"));
    GraphBuilder c;
    const Output z = c.input("x", "[?,4]");
    EXPECT_THAT(axes_of(c, c.make<ops::ShapeOf>("", z)),
                testing::HasSubstr("it gives the number of streams"));
}

using MakeOp = std::function<Output(GraphBuilder&, const Output&)>;

// What mixes the rows of x [?,4] is refused by its name.
TEST(FindRowAxes, RefusesDependentRowsByName) {
    const std::vector<MakeOp> makers = {
        [](GraphBuilder& b, const Output& x) { return b.make<ops::Softmax>("op", x, 0); },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::Reduce>("op", ops::ReduceFunction::sum, x, b.ints({0}), true);
        },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::Concat>("op", std::vector<Output>{x, x}, 0);
        },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::CumSum>("op", x, scalar(b, 0), ops::CumSum::Options());
        },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::MatMul>("op", x, b.transpose(x, {1, 0}));
        },
        [](GraphBuilder& b, const Output& x) { return b.make<ops::NonZero>("op", x); },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::DynamicQuantizeLinear>("op", x);
        },
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::Gather>("op", x, scalar(b, 0), scalar(b, 0));
        },
    };
    for (const auto& make : makers) {
        GraphBuilder b;
        EXPECT_THAT(axes_of(b, make(b, b.input("x", "[?,4]"))), testing::HasSubstr("node 'op'"));
    }
}

TEST(FindRowAxes, SaysThatAFixedBatchIsInTheWay) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,4]");
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, x));
    EXPECT_THAT(find_row_axes(*b.graph()).obstacle,
                testing::HasSubstr("its batch, axis 0 of [1,4], is fixed"));
}

}  // namespace
}  // namespace rondo::passes::find_row_axes_test
