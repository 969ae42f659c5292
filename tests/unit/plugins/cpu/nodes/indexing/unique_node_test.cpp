#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::unique_node_test {
namespace {

std::vector<Output> outputs_of(const NodePtr& node) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < node->output_count(); ++i) outputs.push_back(node->output(i));
    return outputs;
}

void expect_unique(const Shape& shape, std::optional<std::int64_t> axis, bool sorted,
                   ElementType type = ElementType::f32) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    std::vector<Output> inputs{x};
    if (axis) inputs.push_back(constant(scalar_of(*axis)));
    const auto node = make_node<ops::Unique>(
        inputs, ops::UniqueAttributes{sorted, ElementType::i32, ElementType::i64});
    // Elements are few, so that some are equal.
    const Tensor value = converted(random_tensor(ElementType::i32, shape, rng, 0, 2), type);
    expect_like_reference(*graph_of({x}, outputs_of(node)), {value});
    if (type == ElementType::boolean) return;
    const auto after = make_node<ops::Unary>(ops::UnaryFunction::abs, node->output(0));
    expect_like_reference(*graph_of({x}, {after}), {value});
}

TEST(UniqueNode, AnyAxis) {
    for (const bool sorted : {false, true}) {
        expect_unique({40}, {}, sorted);
        expect_unique({5, 4, 2}, {}, sorted);
        for (const std::int64_t axis : {0, 1, -1}) expect_unique({9, 8, 2}, axis, sorted);
        expect_unique({0, 3}, {}, sorted);
        expect_unique({0, 3}, 0, sorted);
        expect_unique({0, 3}, 1, sorted);
        expect_unique({}, {}, sorted);
    }
    for (const ElementType type : {ElementType::boolean, ElementType::f64, ElementType::f16,
                                   ElementType::i64, ElementType::u8}) {
        expect_unique({30}, {}, true, type);
    }
}

TEST(UniqueNode, AxisAtRunTime) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 3});
    const auto axis = parameter("axis", {}, ElementType::i64);
    const auto node = make_node<ops::Unique>(std::vector<Output>{x, axis}, ops::UniqueAttributes{});
    const auto graph = graph_of({x, axis}, outputs_of(node));
    const Tensor value =
        converted(random_tensor(ElementType::i32, {6, 3}, rng, 0, 1), ElementType::f32);
    for (const std::int64_t at : {0, 1, -2}) {
        expect_like_reference(*graph, {value, scalar_of(at)});
    }
}

TEST(BitCastNode, IsAView) {
    const auto x = parameter("x", {-1});
    const auto bits = named(make_node<ops::BitCast>(x, ElementType::i32), "bits");
    const auto again = make_node<ops::BitCast>(make_node<ops::Unary>(ops::UnaryFunction::abs, bits),
                                               ElementType::f32);
    const auto graph = graph_of({x}, {bits, again});
    expect_like_reference(*graph, {tensor_of<float>({3}, {1, -2, 0.5F})});
    EXPECT_EQ(kernel_of(*graph, "bits"), "view");
}

}  // namespace
}  // namespace rondo::test::unique_node_test
