#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/ops/common/families.hpp"
#include "tests/support/chunks.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::reduce_node_test {
namespace {

TEST(ReduceNode, AnyAxes) {
    auto rng = test_rng();
    const std::vector<std::vector<std::int64_t>> lists = {{},     {0},    {1},       {2},   {-1},
                                                          {0, 1}, {1, 2}, {0, 1, 2}, {0, 2}};
    for (const auto& axes : lists) {
        for (const bool keep : {false, true}) {
            const auto x = parameter("x", PartialShape::of_rank(3));
            const auto node = make_node<ops::Reduce>(ops::ReduceFunction::mean, x,
                                                     ops::make_i64(axes, "axes"), keep);
            const auto graph = graph_of({x}, {named(node, "mean")});
            for (const Shape& shape : {Shape{3, 4, 5}, Shape{1, 4, 1}, Shape{2, 700, 33}}) {
                expect_like_reference(*graph, {random_tensor(ElementType::f32, shape, rng)}, 1e-7);
            }
        }
    }
}

std::shared_ptr<Graph> reduced(ops::ReduceFunction function, const PartialShape& shape,
                               const NodePtr& axes, ElementType type, bool keep_dims = true) {
    const auto x = parameter("x", shape, type);
    std::vector<NodePtr> parameters{x};
    if (as<ops::Parameter>(axes)) parameters.push_back(axes);
    return graph_of(parameters, {named(make_node<ops::Reduce>(function, x, axes, keep_dims), "r")});
}

// Every function over many results that lie side by side, and over several runs.
TEST(ReduceNode, ThreadsGiveTheSameBits) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {37, 300, 41}, rng);
    for (const auto& row : ops::kReduceOps) {
        if (!ops::takes(row.types, ElementType::f32)) continue;
        for (const auto& axes : std::vector<std::vector<std::int64_t>>{{0}, {1}, {2}, {0, 2}}) {
            const auto graph = reduced(row.function, PartialShape::of_rank(3),
                                       ops::make_i64(axes, "axes"), ElementType::f32);
            const auto one = on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "1"}}).run({x});
            expect_same(on_cpu(*graph, {{"INFERENCE_NUM_THREADS", "3"}}).run({x})[0], one[0]);
        }
    }
}

// Sums of elements that lie side by side are made in several numbers at once.
TEST(ReduceNode, RunsOfAnyLength) {
    auto rng = test_rng();
    for (const auto& row : ops::kReduceOps) {
        for (const auto& [type, relative] :
             {std::pair(ElementType::f32, 1e-6), std::pair(ElementType::f64, 1e-13),
              std::pair(ElementType::f16, 1e-3)}) {
            if (!ops::takes(row.types, type)) continue;
            const auto graph =
                reduced(row.function, PartialShape::of_rank(2), ops::make_i64({1}, "axes"), type);
            for (const std::size_t count : {1, 16, 17, 63, 64, 65, 79, 100, 200}) {
                const Tensor x = random_tensor(type, {3, count}, rng, 0.5, 1.5);
                expect_like_reference(*graph, {x}, relative, relative);
            }
        }
    }
}

// Several rows are reduced at once where they are short; a row has the bits that it has alone.
TEST(ReduceNode, RowsHaveTheSameBitsAlone) {
    auto rng = test_rng();
    for (const auto& row : ops::kReduceOps) {
        for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::f16}) {
            if (!ops::takes(row.types, type)) continue;
            const auto graph = reduced(row.function, PartialShape::of_rank(3),
                                       ops::make_i64({0, 2}, "axes"), type);
            auto device = on_cpu(*graph);
            for (const Shape& shape : {Shape{1, 21, 16}, Shape{2, 8, 5}, Shape{3, 19, 70}}) {
                const Tensor x = random_tensor(type, shape, rng, 0.5, 1.5);
                const Tensor all = device.run({x})[0];
                for (std::size_t i = 0; i < shape[1]; ++i) {
                    const Tensor alone = on_cpu(*graph).run({rows_of(x, 1, i, i + 1)})[0];
                    expect_same(alone, rows_of(all, 1, i, i + 1));
                }
            }
        }
    }
}

TEST(ReduceNode, OfNoElements) {
    for (const auto& row : ops::kReduceOps) {
        for (const ElementType type :
             {ElementType::f32, ElementType::i8, ElementType::u64, ElementType::boolean}) {
            if (!ops::takes(row.types, type)) continue;
            if (row.function == ops::ReduceFunction::mean && is_integral(type)) continue;
            const auto graph = reduced(row.function, {3, -1}, ops::make_i64({1}, "axes"), type);
            expect_like_reference(*graph, {Tensor(type, {3, 0})});
        }
    }
    const auto graph =
        reduced(ops::ReduceFunction::mean, {3, -1}, ops::make_i64({1}, "axes"), ElementType::i8);
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({Tensor(ElementType::i8, {3, 0})});
        },
        "node 'r' (ReduceMean): the mean of no integers has no value");
}

TEST(ReduceNode, AxesThatEachRunReads) {
    const auto axes = parameter("axes", {2}, ElementType::i32);
    const auto graph = reduced(ops::ReduceFunction::l2, {1, 1}, axes, ElementType::f32);
    auto device = on_cpu(*graph);
    const Tensor x = tensor_of<float>({1, 1}, {-3});
    const Tensor result = device.run({x, tensor_of<std::int32_t>({2}, {0, -1})})[0];
    expect_same(result, tensor_of<float>({1, 1}, {3}));
    expect_error<ModelError>(
        [&] {
            device.run({x, tensor_of<std::int32_t>({2}, {0, 2})});
        },
        "node 'r' (ReduceL2): axis 2 is out of range for rank 2");
}

TEST(ReduceNode, NanAndBooleans) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto function : {ops::ReduceFunction::max, ops::ReduceFunction::min}) {
        const auto graph = reduced(function, {4}, ops::make_i64({0}, "axes"), ElementType::f32);
        for (const auto& x : std::vector<std::vector<float>>{{nan, 1, 2, 3}, {1, nan, 2, 3}}) {
            EXPECT_TRUE(
                std::isnan(on_cpu(*graph).run({tensor_of<float>({4}, x)})[0].data<float>()[0]));
        }
    }
    Tensor bytes(ElementType::boolean, {3});
    std::memcpy(bytes.data(), "\1\7\2", 3);  // all true in a caller's memory
    const auto graph = reduced(ops::ReduceFunction::logical_and, {3}, ops::make_i64({0}, "axes"),
                               ElementType::boolean, false);
    EXPECT_EQ(*static_cast<const char*>(on_cpu(*graph).run({bytes})[0].data()), 1);
}

}  // namespace
}  // namespace rondo::test::reduce_node_test
