#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::mvn_node_test {
namespace {

Output axes_of(const std::vector<std::int64_t>& axes) {
    return constant(tensor_of<std::int64_t>({axes.size()}, axes), "axes");
}

void expect_mvn(const Shape& shape, const std::vector<std::int64_t>& axes,
                const ops::MvnAttributes& attributes = {}, ElementType type = ElementType::f32,
                double tolerance = 1e-5) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    const auto graph =
        graph_of({x}, {named(make_node<ops::Mvn>(x, axes_of(axes), attributes), "norm")});
    EXPECT_TRUE(kernel_of(*graph, "norm").starts_with("mvn_"));
    expect_like_reference(*graph, {random_tensor(type, shape, rng, -3, 5)}, tolerance, tolerance);
}

TEST(MvnNode, LastAxes) {
    for (const std::size_t extent : {1, 2, 15, 16, 17, 64, 1023, 1024, 1025, 70000}) {
        expect_mvn({3, extent}, {-1});
    }
    expect_mvn({2, 3, 4, 5}, {2, 3}, {0.1F, true, ops::EpsMode::outside_sqrt});
    expect_mvn({2, 3, 4}, {0, 1, 2}, {0.1F, false});
    expect_mvn({2, 3, 4}, {});
    expect_mvn({}, {});
    expect_mvn({4, 300, 60}, {2});  // several threads
}

TEST(MvnNode, OtherAxes) {
    expect_mvn({3, 4, 5}, {0});
    expect_mvn({3, 4, 5}, {1});
    expect_mvn({2, 3, 4, 5}, {0, 2, 3}, {1e-9F, true, ops::EpsMode::outside_sqrt});
    expect_mvn({1, 7, 1, 9}, {0, 1});
    expect_mvn({0, 3}, {0});
    expect_mvn({3, 0}, {1});
}

TEST(MvnNode, EveryType) {
    expect_mvn({3, 40}, {1}, {}, ElementType::f64, 1e-13);
    expect_mvn({3, 40}, {1}, {}, ElementType::f16, 2e-3);
    expect_mvn({3, 40}, {0}, {}, ElementType::bf16, 2e-2);
}

// What follows runs row by row.
TEST(MvnNode, TakesAProgram) {
    auto rng = test_rng();
    for (const std::int64_t axis : {1, 2}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto scale = constant(random_tensor(ElementType::f32, {50}, rng));
        const auto bias = constant(random_tensor(ElementType::f32, {50}, rng));
        const auto norm = make_node<ops::Mvn>(x, axes_of({axis}), ops::MvnAttributes{});
        const auto scaled = make_node<ops::Binary>(ops::BinaryFunction::multiply, norm, scale);
        const auto graph =
            graph_of({x}, {make_node<ops::Binary>(ops::BinaryFunction::add, scaled, bias)});
        EXPECT_EQ(on_cpu(*graph).executable->kernels().size(), 3u);
        for (const Shape& shape : {Shape{2, 3, 50}, Shape{40, 30, 50}, Shape{0, 3, 50}}) {
            expect_like_reference(*graph, {random_tensor(ElementType::f32, shape, rng)}, 1e-5);
        }
    }
}

TEST(MvnNode, AxesAtRunTime) {
    auto rng = test_rng();
    const auto x = parameter("x", {3, -1});
    const auto axes = parameter("axes", {1}, ElementType::i64);
    const auto graph = graph_of({x, axes}, {make_node<ops::Mvn>(x, axes, ops::MvnAttributes{})});
    for (const std::int64_t axis : {0, 1, -1}) {
        expect_like_reference(
            *graph,
            {random_tensor(ElementType::f32, {3, 7}, rng), tensor_of<std::int64_t>({1}, {axis})},
            1e-5);
    }
}

}  // namespace
}  // namespace rondo::test::mvn_node_test
