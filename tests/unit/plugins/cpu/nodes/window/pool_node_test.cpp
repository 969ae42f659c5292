#include "core/ops/window/pool.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::pool_node_test {
namespace {

using ops::AutoPad;
using ops::PoolAttributes;
using ops::PoolRounding;

template <typename T>
void expect_pool(const Shape& shape, const PoolAttributes& attributes,
                 ElementType type = ElementType::f32, double tolerance = 1e-5) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    const auto node = named(std::make_shared<T>(), "pool");
    node->set_inputs({x});
    node->set_attributes(attributes);
    node->validate();
    const auto graph = graph_of({x}, {node->output(0)});
    EXPECT_NE(kernel_of(*graph, "pool").find("_pool_"), std::string::npos);
    const Tensor value = random_tensor(type, shape, rng, is_floating(type) ? -4 : 0, 9);
    expect_like_reference(*graph, {value}, tolerance);
}

void expect_pools(const Shape& shape, const PoolAttributes& attributes) {
    expect_pool<ops::MaxPool>(shape, attributes, ElementType::f32, 0);
    expect_pool<ops::AvgPool>(shape, attributes);
}

TEST(PoolNode, OneAxis) {
    expect_pools({2, 3, 50}, {{}, {3}});
    expect_pools({2, 3, 5000}, {{{2}}, {2}});
    expect_pools({1, 2, 100}, {{{3}, {2}, {3}, {1}}, {4}, PoolRounding::ceil_torch});
    expect_pools({1, 2, 17}, {{{4}, {1}, {0}, {1}}, {3}, PoolRounding::ceil});
    expect_pools({1, 2, 17}, {{{4}, {}, {}, {}, AutoPad::same_lower}, {7}});
    expect_pools({1, 2, 3}, {{{1}, {1}, {5}, {5}}, {2}});  // windows in the padding
}

TEST(PoolNode, TwoAndThreeAxes) {
    expect_pools({2, 3, 20, 33}, {{{2, 2}, {}, {1, 1}, {1, 1}}, {3, 3}});
    expect_pools({1, 2, 40, 5}, {{{1, 3}, {2, 1}, {1, 2}, {0, 1}}, {2, 3}});
    expect_pools({1, 2, 5, 6, 7}, {{{1, 2, 1}}, {2, 3, 2}});
}

TEST(PoolNode, EveryType) {
    const PoolAttributes attributes{{{2}, {}, {1}, {1}}, {3}};
    for (const ElementType type : {ElementType::i64, ElementType::i8, ElementType::u8,
                                   ElementType::f64, ElementType::f16, ElementType::bf16}) {
        expect_pool<ops::MaxPool>({2, 3, 40}, attributes, type, 0);
    }
    expect_pool<ops::AvgPool>({2, 3, 40}, attributes, ElementType::f64, 1e-14);
    expect_pool<ops::AvgPool>({2, 3, 40}, attributes, ElementType::f16, 0.01);
}

// Lines of such windows would take too much memory.
TEST(PoolNode, HugeWindows) {
    constexpr std::int64_t kMuch = std::int64_t{1} << 30;
    expect_pools({1, 2, 30}, {{{1 << 29}, {1}, {kMuch}, {kMuch}}, {kMuch}});
    expect_pools({1, 2, 30}, {{{1}, {kMuch}, {kMuch}, {0}}, {2}});
}

TEST(PoolNode, GivesPlaces) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i8}) {
        const auto x = parameter("x", PartialShape::of_rank(4), type);
        const auto node = make_node<ops::MaxPool>(
            x, PoolAttributes{{{2, 1}, {1, 2}, {1, 1}, {1, 1}}, {2, 2}}, ElementType::i32);
        const auto graph = graph_of({x}, {node->output(0), node->output(1)});
        const auto places = graph_of({x}, {node->output(1)});
        const Tensor value = random_tensor(type, {2, 3, 7, 9}, rng, -3, 3);
        expect_like_reference(*graph, {value}, 0);
        expect_like_reference(*places, {value}, 0);
    }
}

TEST(PoolNode, NoImages) {
    expect_pools({0, 3, 8}, {{}, {2}});
    expect_pools({2, 0, 8}, {{}, {2}});
    expect_pools({2, 3, 0}, {{{}, {}, {1}, {1}}, {2}});
}

}  // namespace
}  // namespace rondo::test::pool_node_test
