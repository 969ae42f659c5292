// ROIAlign on the CPU.
#include "core/ops/window/samplers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::roi_align_node_test {
namespace {

std::shared_ptr<Graph> aligned(const ops::RoiAlignAttributes& attributes,
                               ElementType type = ElementType::f32) {
    const auto x = parameter("x", PartialShape::of_rank(4), type);
    const auto regions = parameter("regions", {-1, 4}, type);
    const auto images = parameter("images", {-1}, ElementType::i32);
    const auto node = make_node<ops::RoiAlign>(std::vector<Output>{x, regions, images}, attributes);
    return graph_of({x, regions, images}, {named(node, "r")});
}

TEST(RoiAlignNode, AnyAttributesAndTypes) {
    auto rng = test_rng();
    const Tensor images = tensor_of<std::int32_t>({5}, {0, 1, 1, 0, 1});
    for (const auto& [mode_name, mode] : ops::kRoiModes) {
        for (const auto& [name, alignment] : ops::kRoiAlignments) {
            for (const std::int64_t ratio : {0, 1, 3}) {
                for (const ElementType type : {ElementType::f32, ElementType::f64}) {
                    const Tensor x = random_tensor(type, {2, 19, 6, 7}, rng);
                    const Tensor regions = random_tensor(type, {5, 4}, rng, -3, 12);
                    expect_like_reference(*aligned({3, 2, ratio, 0.75F, mode, alignment}, type),
                                          {x, regions, images}, 2e-6, 2e-6);
                }
            }
        }
    }
}

TEST(RoiAlignNode, NanReachesTheBinsThatItIsIn) {
    const Tensor regions = tensor_of<float>({2, 4}, {0.2F, 0.3F, 2.9F, 2.4F, 1, 1, 2, 3});
    const Tensor images = tensor_of<std::int32_t>({2}, {0, 0});
    for (const auto& [name, mode] : ops::kRoiModes) {
        SCOPED_TRACE(name);
        const auto graph = aligned({2, 2, 2, 1, mode, ops::RoiAlignment::half_pixel});
        for (std::size_t i = 0; i < 12; ++i) {
            auto rng = test_rng();
            Tensor x = random_tensor(ElementType::f32, {1, 1, 3, 4}, rng, -1, 1);
            x.data<float>()[i] = std::nanf("");
            expect_like_reference(*graph, {x, regions, images}, 2e-6, 2e-6);
        }
    }
}

TEST(RoiAlignNode, NoElementsAndBadImages) {
    const auto graph = aligned({2, 2});
    const Tensor regions = tensor_of<float>({1, 4}, {0, 0, 1, 1});
    const Tensor first = tensor_of<std::int32_t>({1}, {0});
    expect_like_reference(*graph, {Tensor(ElementType::f32, {1, 3, 0, 4}), regions, first});
    expect_like_reference(*graph,
                          {Tensor(ElementType::f32, {1, 3, 4, 4}), Tensor(ElementType::f32, {0, 4}),
                           Tensor(ElementType::i32, {0})});
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({Tensor(ElementType::f32, {1, 3, 4, 4}), regions,
                                tensor_of<std::int32_t>({1}, {-1})});
        },
        "node 'r' (ROIAlign): batch index -1 is out of range for 1 images");
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({Tensor(ElementType::f32, {1, 3, 4, 4}),
                                tensor_of<float>({1, 4}, {0, 0, 1e9F, 1}), first});
        },
        "node 'r' (ROIAlign): region 0 is too large");
}

}  // namespace
}  // namespace rondo::test::roi_align_node_test
