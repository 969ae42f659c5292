// Tests a part of core/graph/constants.hpp.
#include "transformations/analysis/views.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::constant_views_test {
namespace {

using test::GraphBuilder;

Tensor random_constant(const Shape& shape) {
    auto rng = test::test_rng();
    return test::random_tensor(ElementType::f32, shape, rng);
}

std::vector<Tensor> views_of(const Node& node) {
    std::vector<Tensor> inputs;
    for (const auto& input : node.inputs()) inputs.push_back(known_value(input));
    return views_of_constant(node, inputs);
}

// Views with the evaluator's values, the first at the constant's first element.
void expect_views(const Node& node) {
    const auto views = views_of(node);
    std::vector<Tensor> inputs;
    for (const auto& input : node.inputs()) inputs.push_back(known_value(input));
    const auto expected = reference::evaluate(node, inputs);
    ASSERT_EQ(views.size(), expected.size());
    for (std::size_t i = 0; i < views.size(); ++i) test::expect_same(views[i], expected[i]);
    EXPECT_EQ(views[0].data(), inputs[0].data());
}

TEST(ConstantViews, ReshapesShareTheMemory) {
    GraphBuilder b;
    const Output data = b.constant(random_constant({2, 1, 6}));
    expect_views(b.reshape(data, {3, -1}).node());
    expect_views(b.squeeze(data, {1}).node());
    expect_views(b.unsqueeze(data, {0}).node());
}

TEST(ConstantViews, PartsShareTheMemory) {
    GraphBuilder b;
    const auto scalar = [&](std::int64_t value) {
        return b.constant(test::tensor_of<std::int64_t>({}, {value}));
    };
    const Output data = b.constant(random_constant({1, 6, 3}));
    expect_views(*b.make<ops::Split>("", data, scalar(1), 3));
    expect_views(*b.make<ops::Split>("", data, scalar(-2), 2));
    expect_views(*b.make<ops::VariadicSplit>("", data, scalar(1), b.ints({1, 0, -1})));
    expect_views(*b.make<ops::Split>("", b.constant(random_constant({4})), scalar(0), 4));
}

TEST(ConstantViews, PartsOutlastTheConstant) {
    std::vector<Tensor> views;
    Tensor copy;
    {
        GraphBuilder b;
        const Tensor value = random_constant({1000});
        copy = value.reshaped({2, 500});
        Tensor own(ElementType::f32, {2, 500});
        copy.copy_to(own);
        copy = own;
        views = views_of(b.reshape(b.constant(value), {2, 500}).node());
    }
    ASSERT_EQ(views.size(), 1U);
    test::expect_same(views[0], copy);
}

// Near misses: parts that are interleaved, and ops that compute something.
TEST(ConstantViews, OthersAreLeftAlone) {
    GraphBuilder b;
    const auto axis = b.constant(test::tensor_of<std::int64_t>({}, {1}));
    const Output data = b.constant(random_constant({2, 6}));
    EXPECT_TRUE(views_of(*b.make<ops::Split>("", data, axis, 3)).empty());
    EXPECT_TRUE(views_of(b.transpose(data, {1, 0}).node()).empty());
}

}  // namespace
}  // namespace rondo::passes::constant_views_test
