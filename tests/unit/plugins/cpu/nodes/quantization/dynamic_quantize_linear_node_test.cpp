#include <gtest/gtest.h>

#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::dynamic_quantize_linear_node_test {
namespace {

TEST(DynamicQuantizeLinearNode, ComputesAsTheReference) {
    const auto x = parameter("x", PartialShape::parse("?,?"));
    const auto node = named(make_node<ops::DynamicQuantizeLinear>(x), "n");
    const auto graph = graph_of({x}, {node->output(0), node->output(1), node->output(2)});
    auto rng = test_rng();
    // The last one occupies several threads.
    for (const Shape& shape : {Shape{0, 3}, Shape{1, 1}, Shape{3, 17}, Shape{300, 400}}) {
        for (const double low : {-2.0, 0.5}) {
            expect_like_reference(*graph, {random_tensor(ElementType::f32, shape, rng, low, 3)});
        }
    }
    expect_like_reference(*graph, {Tensor(ElementType::f32, {2, 2})});
}

TEST(DynamicQuantizeLinearNode, WritesOutputsThatNothingReads) {
    const auto x = parameter("x", {5});
    const auto node = named(make_node<ops::DynamicQuantizeLinear>(x), "n");
    auto rng = test_rng();
    expect_like_reference(*graph_of({x}, {node->output(0)}),
                          {random_tensor(ElementType::f32, {5}, rng)});
}

}  // namespace
}  // namespace rondo::test::dynamic_quantize_linear_node_test
