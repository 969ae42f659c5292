#include "core/extents/extent_origin.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::extent_origin_test {
namespace {

using test::GraphBuilder;

// "x.1": name and axis of the origin.
std::string origin(const Output& output, std::size_t axis) {
    const ExtentOrigin at = origin_of_extent(output, axis);
    return at.source.node().name() + "." + std::to_string(at.axis);
}

TEST(ExtentOrigin, GoesThroughTransposesAndViews) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,1,?,2,8]");
    const Output moved = b.transpose(x, {2, 1, 0, 3, 4});
    EXPECT_EQ(origin(moved, 0), "x.2");
    const Output squeezed = b.squeeze(moved, {1});
    EXPECT_EQ(origin(squeezed, 0), "x.2");
    EXPECT_EQ(origin(squeezed, 1), "x.0");
    const Output merged = b.reshape(squeezed, {0, 0, -1});
    EXPECT_EQ(origin(merged, 1), "x.0");
    const Output wide = b.unsqueeze(merged, {1});
    EXPECT_EQ(origin(wide, 2), "x.0");
    EXPECT_EQ(origin(wide, 0), "x.2");
}

TEST(ExtentOrigin, GoesThroughSlicesThatTakeAllFromTheLastElementOn) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const auto slice = [&](std::int64_t start, std::int64_t stop, std::int64_t step) {
        return b.make<ops::Slice>("cut", x, b.ints({start}), b.ints({stop}), b.ints({step}),
                                  b.ints({1}));
    };
    EXPECT_EQ(origin(slice(-1, -2147483648, -1), 1), "x.1");
    EXPECT_EQ(origin(slice(-2, -2147483648, -1), 1), "cut.1");
    EXPECT_EQ(origin(slice(-1, -5, -1), 1), "cut.1");
    EXPECT_EQ(origin(slice(-1, -2147483648, -2), 1), "cut.1");
}

TEST(ExtentOrigin, StopsAtAxesThatAreMade) {
    GraphBuilder b;
    const Output merged =
        b.make<ops::Reshape>("merged", b.input("x", "[?,2,?]"), b.ints({0, -1}), true);
    EXPECT_EQ(origin(merged, 1), "merged.1");
    const Output wide = b.make<ops::Unsqueeze>("wide", b.input("y", "[?]"), b.ints({0}));
    EXPECT_EQ(origin(wide, 0), "wide.0");
}

TEST(ExtentOrigin, GoesThroughOpsThatKeepTheShape) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    EXPECT_EQ(origin(b.make<ops::Softmax>("", x, 0), 0), "x.0");
    EXPECT_EQ(origin(b.make<ops::Mvn>("", x, b.ints({0, 1}), ops::MvnAttributes()), 1), "x.1");
    EXPECT_EQ(origin(b.make<ops::Roll>("", x, b.ints({1}), b.ints({0})), 0), "x.0");
    const Output lengths = b.input("lengths", "[?]", ElementType::i64);
    EXPECT_EQ(origin(b.make<ops::ReverseSequence>("", x, lengths, 0, 1), 1), "x.1");
    const std::vector<Output> inputs{x, b.input("i", "[3,1]", ElementType::i64),
                                     b.input("u", "[3,?]")};
    const Output written = b.make<ops::ScatterNDUpdate>("", inputs, ops::ScatterReduction::none);
    EXPECT_EQ(origin(written, 0), "x.0");
}

TEST(ExtentOrigin, GoesThroughIndependentRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,8]");
    const Output y = b.make<ops::MatMul>("m", x, b.input("w", "[8,?]"));
    EXPECT_EQ(origin(y, 0), "x.0");
    EXPECT_EQ(origin(y, 1), "x.1");
    EXPECT_EQ(origin(y, 2), "w.1");
    const Output soft = b.make<ops::Softmax>("s", y, -1);
    EXPECT_EQ(origin(soft, 1), "x.1");
    const Output sum =
        b.make<ops::Reduce>("sum", ops::ReduceFunction::sum, soft, b.ints({0}), false);
    EXPECT_EQ(origin(sum, 0), "x.1");
    const Output joined = b.make<ops::Concat>("c", std::vector<Output>{soft, soft}, 2);
    EXPECT_EQ(origin(joined, 1), "x.1");
    EXPECT_EQ(origin(joined, 2), "c.2");
    // Either may be the one that is repeated.
    const Output batches =
        b.make<ops::MatMul>("p", b.input("l", "[?,2,8]"), b.input("r", "[?,8,3]"));
    EXPECT_EQ(origin(batches, 0), "p.0");
    EXPECT_EQ(origin(batches, 1), "l.1");
}

TEST(ExtentOrigin, TheOneOpenExtentStaysInAReshape) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,1,4]");
    EXPECT_EQ(origin(b.reshape(x, {1, -1, 4}), 1), "x.0");
    EXPECT_EQ(origin(b.reshape(x, {2, 2, -1}), 2), "x.0");
    const Output halved = b.make<ops::Reshape>("halved", x, b.ints({8, -1}), true);
    EXPECT_EQ(origin(halved, 1), "halved.1");
    const Output two = b.make<ops::Reshape>("two", b.input("y", "[?,?,4]"), b.ints({4, -1}), true);
    EXPECT_EQ(origin(two, 1), "two.1");
}

TEST(ExtentOrigin, GoesThroughComputedShapes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output shape = b.make<ops::Concat>(
        "", std::vector<Output>{test::extent_of(b, x, 1), test::extent_of(b, x, 0)}, 0);
    const Output zero = b.constant(test::scalar_of<float>(0));
    EXPECT_EQ(origin(b.make<ops::Broadcast>("", zero, shape), 0), "x.1");
    const Output two = b.make<ops::Broadcast>("two", b.input("z", "[2,1]"), shape,
                                              ops::BroadcastMode::bidirectional);
    EXPECT_EQ(origin(two, 0), "two.0") << "1 would leave the 2 of the data";
    const Output more = b.make<ops::Broadcast>("more", b.input("v", "[?,1,1]"), shape,
                                               ops::BroadcastMode::bidirectional);
    EXPECT_EQ(origin(more, 0), "v.0") << "the target has no such axis";
    EXPECT_EQ(origin(more, 1), "x.1") << "the target's first extent";
    EXPECT_EQ(origin(b.make<ops::Reshape>("", x, shape, false), 1), "x.0");
    EXPECT_EQ(origin(b.make<ops::Reshape>("r", x, shape, true), 1), "r.1") << "a 0 copies";
}

TEST(ExtentOrigin, GoesThroughSortedRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    ops::TopKAttributes attributes;
    attributes.axis = 0;
    const Output rows = b.reshape(test::extent_of(b, x, 0), {});
    const auto all = b.make<ops::TopK>("", x, rows, attributes);
    EXPECT_EQ(origin(all->output(1), 0), "x.0");
    EXPECT_EQ(origin(all->output(0), 1), "x.1");
    const auto some =
        b.make<ops::TopK>("some", x, b.input("k", "[]", ElementType::i64), attributes);
    EXPECT_EQ(origin(some->output(0), 0), "some.0");
    const std::vector<Output> inputs{x, all->output(1), x, b.ints({0})};
    EXPECT_EQ(
        origin(b.make<ops::ScatterElementsUpdate>("", inputs, ops::ScatterReduction::none), 1),
        "x.1");
}

TEST(ExtentOrigin, GoesThroughElementwise) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, x);
    EXPECT_EQ(origin(b.make<ops::Convert>("", relu, ElementType::f64), 1), "x.1");
    const Output biased =
        b.make<ops::Binary>("biased", ops::BinaryFunction::add, b.input("bias", "[?]"), x);
    EXPECT_EQ(origin(biased, 0), "x.0");
    EXPECT_EQ(origin(biased, 1), "biased.1") << "either might be 1";
    const Output both = b.make<ops::Binary>("both", ops::BinaryFunction::add, relu, x);
    EXPECT_EQ(origin(both, 0), "x.0") << "both come from one place";
    const Output row = b.input("row", "[1,1]");
    EXPECT_EQ(origin(b.make<ops::Binary>("", ops::BinaryFunction::multiply, x, row), 1), "x.1");
    EXPECT_EQ(origin(b.make<ops::Binary>("", ops::BinaryFunction::multiply, row, x), 1), "x.1");
}

TEST(ExtentOrigin, GoesThroughLayers) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto first = make_gru(b, "first", x, 4, 3);
    const Output between = b.squeeze(onnx_y(b, first), {1});
    const auto second = make_gru(b, "second", between, 3, 3);
    EXPECT_EQ(origin(second->output(0), 2), "x.0");
    EXPECT_EQ(origin(second->output(0), 0), "x.1");
    EXPECT_EQ(origin(second->output(0), 3), "second.3");
    EXPECT_EQ(origin(second->output(1), 0), "x.1");
    EXPECT_EQ(origin(second->output(1), 2), "second.2");
}

TEST(ExtentOrigin, LongChainsEndSomewhere) {
    GraphBuilder b;
    Output data = b.input("x", "[?,?]");
    for (int i = 0; i < 5000; ++i) data = b.make<ops::Unary>("", ops::UnaryFunction::relu, data);
    EXPECT_EQ(origin_of_extent(data, 1).axis, 1U);
}

}  // namespace
}  // namespace rondo::extent_origin_test
