#include "transformations/analysis/splats.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::splats_test {
namespace {

using test::extent_of;
using test::GraphBuilder;

// "0.5: 2 x.0 3"; empty where it isn't a splat.
std::string text(const Output& output) {
    const auto splat = splat_of(output);
    if (!splat) return {};
    std::string all = std::to_string(static_cast<double>(test::element_at(splat->value, 0)));
    all = all.substr(0, 3) + ":";
    for (const auto& extent : splat->extents) {
        all +=
            " " + (extent.number ? std::to_string(*extent.number)
                                 : extent.tensor.node().name() + "." + std::to_string(extent.axis));
    }
    return all;
}

// 0.5 broadcast to [2, rows of x, 6].
struct States {
    GraphBuilder b;
    Output x = b.input("x", "[?,4]");
    Output all = b.make<ops::Broadcast>(
        "", b.constant(test::scalar_of<float>(0.5F)),
        b.make<ops::Concat>("", std::vector<Output>{b.ints({2}), extent_of(b, x, 0), b.ints({6})},
                            0));

    Output slice(std::int64_t start, std::int64_t stop, std::int64_t axis) {
        return b.make<ops::Slice>("", all, b.ints({start}), b.ints({stop}), b.ints({1}),
                                  b.ints({axis}));
    }
    Output gather(std::int64_t index, std::int64_t axis) {
        return b.make<ops::Gather>("", all, b.constant(test::scalar_of<std::int64_t>(index)),
                                   b.ints({axis}));
    }
};

TEST(Splats, AreBroadcastsOfOneElement) {
    States s;
    EXPECT_EQ(text(s.all), "0.5: 2 x.0 6");
    EXPECT_EQ(text(s.x), "");
    const Output two = s.b.constant(test::tensor_of<float>({2, 1, 1}, {1, 2}));
    EXPECT_EQ(text(s.b.make<ops::Broadcast>("", two, s.all.node().input(1))), "");
    const Output open = s.b.input("target", "[3]", ElementType::i64);
    EXPECT_EQ(text(s.b.make<ops::Broadcast>("", s.all.node().input(0), open)), "");
}

TEST(Splats, AreFollowedThroughWhatMovesThem) {
    States s;
    EXPECT_EQ(text(s.b.transpose(s.slice(1, 2, 0), {1, 0, 2})), "0.5: x.0 1 6");
    EXPECT_EQ(text(s.gather(1, 0)), "0.5: x.0 6");
    EXPECT_EQ(text(s.b.unsqueeze(s.gather(-1, 0), {1})), "0.5: x.0 1 6");
    EXPECT_EQ(text(s.b.squeeze(s.slice(0, 1, 0), {0})), "0.5: x.0 6");
    EXPECT_EQ(text(s.b.reshape(s.slice(0, 1, 0), {-1, 1, 6})), "0.5: x.0 1 6");
    EXPECT_EQ(text(s.b.make<ops::Convert>("", s.all, ElementType::f16)), "0.5: 2 x.0 6");
}

TEST(Splats, MayBeJoined) {
    States s;
    const auto joined = [&](std::vector<Output> parts, std::int64_t axis) {
        return text(s.b.make<ops::Concat>("", std::move(parts), axis));
    };
    EXPECT_EQ(joined({s.all, s.all}, 0), "0.5: 4 x.0 6");
    EXPECT_EQ(joined({s.slice(0, 1, 0), s.all}, -3), "0.5: 3 x.0 6");
    EXPECT_EQ(joined({s.all, s.all}, 1), "") << "twice the rows";
    const Output other = s.b.make<ops::Broadcast>("", s.b.constant(test::scalar_of<float>(1)),
                                                  s.all.node().input(1));
    EXPECT_EQ(joined({s.all, other}, 0), "");
    EXPECT_EQ(joined({s.all, s.b.input("y", "[2,?,6]")}, 0), "");
}

// Any of these may fail, or have another extent than one thinks.
TEST(Splats, EndWhereTheExtentsAreNotCertain) {
    States s;
    EXPECT_EQ(text(s.slice(0, 1, 1)), "") << "of no rows it is empty";
    EXPECT_EQ(text(s.gather(0, 1)), "") << "no rows, no first one";
    const Output index = s.b.constant(test::tensor_of<std::int64_t>({1, 1}, {0}));
    EXPECT_EQ(text(s.b.make<ops::Gather>("", s.all, index, s.b.ints({0}))), "") << "an axis more";
    EXPECT_EQ(text(s.b.squeeze(s.all, {1})), "");
    EXPECT_EQ(text(s.b.reshape(s.all, {-1, 1, 6})), "") << "two layers have twice the rows";
    EXPECT_EQ(text(s.b.make<ops::Unary>("", ops::UnaryFunction::relu, s.all)), "");
}

}  // namespace
}  // namespace rondo::passes::splats_test
