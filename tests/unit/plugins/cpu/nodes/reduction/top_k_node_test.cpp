#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::top_k_node_test {
namespace {

void expect_top_k(const Shape& shape, std::int64_t k, const ops::TopKAttributes& attributes,
                  ElementType type = ElementType::f32) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    const auto node = make_node<ops::TopK>(x, constant(scalar_of<std::int64_t>(k)), attributes);
    const Tensor value = random_tensor(type, shape, rng, is_floating(type) ? -9 : 0, 9);
    const auto both = graph_of({x}, {node->output(0), node->output(1)});
    const auto places = graph_of({x}, {node->output(1)});
    expect_like_reference(*both, {value});
    expect_like_reference(*places, {value});
}

TEST(TopKNode, AnyAxis) {
    for (const std::int64_t axis : {0, 1, 2}) {
        for (const std::int64_t k : {1, 2, 4}) {
            expect_top_k({5, 4, 6}, k, {axis});
            expect_top_k({5, 4, 6}, k,
                         {axis, ops::TopKMode::min, ops::TopKSort::index, ElementType::i64});
        }
    }
    expect_top_k({3000, 40}, 5, {});  // several threads
    expect_top_k({0, 4}, 2, {});
    expect_top_k({3, 4}, 0, {});
}

TEST(TopKNode, LongLinesAndManyElements) {
    for (const std::size_t extent : {1, 15, 16, 17, 100}) {
        expect_top_k({7, extent}, 1, {});
        expect_top_k({7, extent}, 1, {-1, ops::TopKMode::min}, ElementType::f64);
    }
    expect_top_k({3, 200}, 32, {});
    expect_top_k({3, 200}, 33, {});
}

TEST(TopKNode, EveryType) {
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16,
                                   ElementType::i64, ElementType::i8, ElementType::u8}) {
        expect_top_k({6, 30}, 4, {}, type);
        expect_top_k({6, 30}, 1, {0}, type);
    }
}

TEST(TopKNode, NanIsGreatest) {
    const auto x = parameter("x", {-1});
    const auto node =
        make_node<ops::TopK>(x, constant(scalar_of<std::int64_t>(2)), ops::TopKAttributes{});
    const auto graph = graph_of({x}, {node->output(0), node->output(1)});
    const float nan = std::nanf("");
    expect_like_reference(*graph, {tensor_of<float>({4}, {1, nan, 2, nan})});
    const auto rows = parameter("x", {-1, 40});
    const auto best =
        make_node<ops::TopK>(rows, constant(scalar_of<std::int64_t>(1)), ops::TopKAttributes{});
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float special : {nan, infinity, -infinity}) {
        std::vector<float> values(80, 2);
        values[20] = values[75] = special;
        expect_like_reference(*graph_of({rows}, {best->output(0), best->output(1)}),
                              {tensor_of<float>({2, 40}, values)});
    }
}

TEST(TopKNode, CountAtRunTime) {
    auto rng = test_rng();
    const auto x = parameter("x", {3, -1});
    const auto k = parameter("k", {}, ElementType::i64);
    const auto node = make_node<ops::TopK>(x, k, ops::TopKAttributes{});
    const auto graph = graph_of({x, k}, {node->output(0), node->output(1)});
    for (const std::int64_t count : {0, 1, 3, 7}) {
        expect_like_reference(
            *graph, {random_tensor(ElementType::f32, {3, 7}, rng), scalar_of<std::int64_t>(count)});
    }
}

}  // namespace
}  // namespace rondo::test::top_k_node_test
