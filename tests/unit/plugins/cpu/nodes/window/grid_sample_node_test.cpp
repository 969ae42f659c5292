// GridSample on the CPU.
#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::grid_sample_node_test {
namespace {

std::shared_ptr<Graph> sampled(std::size_t rank, const ops::GridRule& rule,
                               ElementType type = ElementType::f32) {
    const auto x = parameter("x", PartialShape::of_rank(rank), type);
    const auto grid = parameter("grid", PartialShape::of_rank(rank), type);
    return graph_of({x, grid}, {named(make_node<ops::GridSample>(x, grid, rule), "g")});
}

Shape grid_shape(Shape points, std::size_t axes) {
    points.push_back(axes);
    return points;
}

TEST(GridSampleNode, AnyRuleAndRank) {
    auto rng = test_rng();
    for (const auto& [data, points] : std::vector<std::pair<Shape, Shape>>{
             {{2, 3, 7}, {2, 9}}, {{2, 3, 4, 5}, {2, 6, 30}}, {{1, 2, 3, 4, 5}, {1, 2, 5, 6}}}) {
        const Tensor x = random_tensor(ElementType::f32, data, rng);
        const Tensor grid =
            random_tensor(ElementType::f32, grid_shape(points, data.size() - 2), rng, -2, 2);
        for (const auto& [mode_name, mode] : ops::kGridModes) {
            for (const auto& [padding_name, padding] : ops::kGridPaddings) {
                for (const bool aligns : {false, true}) {
                    expect_like_reference(*sampled(data.size(), {mode, padding, aligns}), {x, grid},
                                          2e-6, 2e-6);
                }
            }
        }
    }
}

TEST(GridSampleNode, SharesPoints) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {2, 8, 40, 50}, rng);
    const Tensor grid = random_tensor(ElementType::f32, {2, 100, 90, 2}, rng, -1.2, 1.2);
    expect_like_reference(*sampled(4, {}), {x, grid}, 2e-6);
}

TEST(GridSampleNode, OtherTypesAndNoElements) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16}) {
        const Tensor x = random_tensor(type, {1, 2, 4, 5}, rng);
        const Tensor grid = random_tensor(type, {1, 3, 3, 2}, rng, -1.2, 1.2);
        for (const auto& [name, mode] : ops::kGridModes) {
            expect_like_reference(*sampled(4, {mode}, type), {x, grid},
                                  type == ElementType::f64 ? 1e-12 : 1e-2);
        }
    }
    const Tensor grid(ElementType::f32, {1, 3, 3, 2});
    for (const auto& [name, padding] : ops::kGridPaddings) {
        const auto graph = sampled(4, {ops::GridMode::bilinear, padding});
        expect_like_reference(*graph, {Tensor(ElementType::f32, {1, 2, 0, 5}), grid});
        expect_like_reference(*graph, {Tensor(ElementType::f32, {1, 0, 3, 5}), grid});
    }
}

}  // namespace
}  // namespace rondo::test::grid_sample_node_test
