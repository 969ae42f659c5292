// Col2Im on the CPU.
#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::col2im_node_test {
namespace {

using Ints = std::vector<std::int64_t>;

struct Case {
    Shape data;
    Ints image, kernel;
    ops::ConvolutionAttributes attributes;
};

const Case kCases[] = {
    {{2, 6, 9}, {10}, {2}, {}},
    {{2, 12, 12}, {4, 5}, {2, 2}, {}},
    {{12, 4}, {3, 3}, {2, 3}, {{2, 2}, {1, 1}, {1, 1}, {0, 1}}},
    {{1, 6, 6}, {4, 5}, {3, 2}, {{1, 2}, {1, 3}, {0, 1}, {0, 2}}},
    {{1, 16, 12}, {3, 4, 3}, {2, 2, 2}, {}},
    {{2, 4, 0}, {1, 1}, {2, 2}, {}},
    {{0, 4, 1}, {2, 2}, {2, 2}, {}},
};

TEST(Col2ImNode, AnyWindowsAndTypes) {
    auto rng = test_rng();
    for (const Case& one : kCases) {
        for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::f16,
                                       ElementType::i8, ElementType::u16, ElementType::i64}) {
            const auto x = parameter("x", PartialShape::of_rank(one.data.size()), type);
            const auto node =
                make_node<ops::Col2Im>(x, ops::make_i64(one.image, "image"),
                                       ops::make_i64(one.kernel, "kernel"), one.attributes);
            expect_like_reference(*graph_of({x}, {named(node, "c")}),
                                  {random_tensor(type, one.data, rng, 0, 50)}, 1e-4, 2e-3);
        }
    }
}

TEST(Col2ImNode, SizesThatComeWithEachRun) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1, -1});
    const auto image = parameter("image", {2}, ElementType::i64);
    const auto node = make_node<ops::Col2Im>(x, image, ops::make_i64({2, 2}, "kernel"),
                                             ops::ConvolutionAttributes{});
    const auto graph = graph_of({x, image}, {named(node, "c")});
    auto device = on_cpu(*graph);
    for (const auto& [h, w] : std::vector<std::pair<std::int64_t, std::int64_t>>{{4, 5}, {3, 7}}) {
        const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {40, 8, 12}, rng),
                                         tensor_of<std::int64_t>({2}, {h, w})};
        expect_near(device.run(inputs)[0], on_reference(*graph).run(inputs)[0], 1e-6);
    }
}

}  // namespace
}  // namespace rondo::test::col2im_node_test
