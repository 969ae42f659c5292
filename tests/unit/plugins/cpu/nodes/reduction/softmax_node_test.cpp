#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::softmax_node_test {
namespace {

void expect_shares(const Shape& shape, std::int64_t axis, ElementType type, double absolute) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    const auto graph = graph_of({x}, {named(make_node<ops::Softmax>(x, axis), "s")});
    EXPECT_TRUE(kernel_of(*graph, "s").starts_with("softmax_"));
    expect_like_reference(*graph, {random_tensor(type, shape, rng, -9, 9)}, absolute);
}

TEST(SoftmaxNode, AnyAxisOfAnyType) {
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        expect_shares({3, 4, 50}, axis, ElementType::f32, 2e-7);
        expect_shares({7, 33, 5}, axis, ElementType::f64, 1e-15);
        expect_shares({3, 20, 17}, axis, ElementType::f16, 1e-3);
        expect_shares({2, 20, 18}, axis, ElementType::bf16, 8e-3);
        expect_shares({2, 0, 5}, axis, ElementType::f32, 0);
    }
    expect_shares({}, 0, ElementType::f32, 0);
}

TEST(SoftmaxNode, LogarithmsAlongAnyAxisOfAnyType) {
    auto rng = test_rng();
    const auto expect_logs = [&](const Shape& shape, std::int64_t axis, ElementType type,
                                 double absolute) {
        const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
        const auto graph = graph_of({x}, {named(make_node<ops::LogSoftmax>(x, axis), "s")});
        EXPECT_TRUE(kernel_of(*graph, "s").starts_with("log_softmax_"));
        expect_like_reference(*graph, {random_tensor(type, shape, rng, -9, 9)}, absolute);
    };
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        expect_logs({3, 4, 1050}, axis, ElementType::f32, 3e-6);
        expect_logs({7, 33, 5}, axis, ElementType::f64, 1e-14);
        expect_logs({3, 20, 17}, axis, ElementType::f16, 2e-2);
        expect_logs({2, 20, 18}, axis, ElementType::bf16, 2e-1);
        expect_logs({2, 0, 5}, axis, ElementType::f32, 0);
    }
    expect_logs({}, 0, ElementType::f32, 0);
}

TEST(SoftmaxNode, LinesAlongAnyAxisHaveTheSameBits) {
    auto rng = test_rng();
    const Tensor rows = random_tensor(ElementType::f32, {40, 37}, rng);
    Tensor columns(ElementType::f32, {37, 40});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        columns.data<float>()[i % 37 * 40 + i / 37] = rows.data<float>()[i];
    }
    const auto run = [](const Tensor& value, std::int64_t axis, const char* threads) {
        const auto x = parameter("x", PartialShape(value.shape()));
        const auto graph = graph_of({x}, {make_node<ops::Softmax>(x, axis)});
        return on_cpu(*graph, {{"INFERENCE_NUM_THREADS", threads}}).run({value})[0];
    };
    const Tensor along_rows = run(rows, 1, "1");
    for (const char* threads : {"1", "4"}) {
        const Tensor along_columns = run(columns, 0, threads);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(along_columns.data<float>()[i % 37 * 40 + i / 37],
                      along_rows.data<float>()[i]);
        }
    }
}

}  // namespace
}  // namespace rondo::test::softmax_node_test
