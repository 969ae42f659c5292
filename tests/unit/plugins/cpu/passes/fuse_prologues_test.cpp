#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/passes/elementwise_nodes.hpp"
#include "tests/unit/plugins/cpu/passes/fused_bits.hpp"

namespace rondo::test::fuse_prologues_test {
namespace {

using ops::BinaryFunction;
using ops::ReduceFunction;
using ops::UnaryFunction;

Output reduce(GraphBuilder& b, ReduceFunction function, const Output& x,
              const std::vector<std::int64_t>& axes, bool keep = false,
              const std::string& name = "") {
    return b.make<ops::Reduce>(name, function, x, b.ints(axes), keep);
}

std::shared_ptr<cpu::FusedReduction> fused_behind(const Graph& graph) {
    return as<cpu::FusedReduction>(graph.results()[0]->input(0));
}

//   x   m               x   m   axes
//    \ /                 \  |  /
//  SquaredDifference => FusedReduction
//     |
//  ReduceMean
TEST(FusePrologues, JoinsAReduction) {
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{2}, {-1}, {1, 2}, {-1, 1}, {0, 1, 2}, {2, 2}}) {
        GraphBuilder b;
        const Output difference = binary(b, BinaryFunction::squared_difference,
                                         b.input("x", "[?,?,7]"), b.input("m", "[?,1]"));
        b.output("y", reduce(b, ReduceFunction::mean, difference, axes, true, "mean"));
        const auto graph = b.graph();
        expect_fused_and_expanded(graph, cpu::fuse_prologues);
        const auto fused = fused_behind(*graph);
        ASSERT_NE(fused, nullptr);
        EXPECT_EQ(fused->name(), "mean");
        EXPECT_EQ(fused->program_parts(), 1u);
    }
}

TEST(FusePrologues, JoinsASoftmax) {
    GraphBuilder b;
    const Output scaled = binary(b, BinaryFunction::multiply, b.input("x", "[?,?,?]"),
                                 b.constant(scalar_of<float>(0.125f)));
    const Output masked = binary(b, BinaryFunction::add, scaled, b.input("mask", "[?,1,?]"));
    b.output("y", b.make<ops::Softmax>("softmax", masked, -1));
    const auto graph = b.graph();
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_prologues);
    ASSERT_NE(fused_behind(*graph), nullptr);
    EXPECT_EQ(fused_behind(*graph)->program_parts(), 2u);
}

// The variance as exporters write it out: the square goes with the mean.
TEST(FusePrologues, JoinsASquare) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,33]");
    const Output centred =
        binary(b, BinaryFunction::subtract, x, reduce(b, ReduceFunction::mean, x, {-1}, true));
    const Output square =
        binary(b, BinaryFunction::power, centred, b.constant(scalar_of<float>(2)));
    const Output variance = reduce(b, ReduceFunction::mean, square, {-1}, true);
    b.output("y",
             binary(b, BinaryFunction::divide, centred, unary(b, UnaryFunction::sqrt, variance)));
    const auto graph = b.graph();
    auto rng = test_rng();
    const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {20, 33}, rng)};
    expect_bits_of_passes_up_to("fuse_bias", *graph, inputs, 1e-5);
    cpu::fuse_elementwise(*graph);
    expect_fused_and_expanded(graph, cpu::fuse_prologues);
    EXPECT_EQ(count_nodes(*graph, "FusedReduction"), 1u);
}

TEST(FusePrologues, LeavesOtherAxesAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,7]");
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{0}, {1}, {0, 2}, {}}) {
        b.output("y" + std::to_string(axes.size() + axes.empty() * 9) +
                     std::to_string(axes.empty() ? 0 : axes[0]),
                 reduce(b, ReduceFunction::sum, unary(b, UnaryFunction::tanh, x), axes));
    }
    b.output("s", b.make<ops::Softmax>("", unary(b, UnaryFunction::tanh, x), 1));
    const Output late = b.input("axes", "[1]", ElementType::i64);
    b.output("l", b.make<ops::Reduce>("", ReduceFunction::sum, unary(b, UnaryFunction::tanh, x),
                                      late, false));
    const Output any = b.input("any", "...");
    b.output("r", reduce(b, ReduceFunction::sum, unary(b, UnaryFunction::tanh, any), {-1}));
    expect_unchanged(*b.graph(), cpu::fuse_prologues);
}

TEST(FusePrologues, LeavesOtherProducersAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,7]");
    const Output shared = unary(b, UnaryFunction::tanh, x);
    b.output("shared", shared);
    b.output("a", reduce(b, ReduceFunction::max, shared, {1}));
    b.output("b", reduce(b, ReduceFunction::max, x, {1}));
    b.output("c", reduce(b, ReduceFunction::max, unary(b, UnaryFunction::sinh, x), {1}));
    const Output n = b.input("n", "[?,7]", ElementType::i32);
    b.output("d", reduce(b, ReduceFunction::max, unary(b, UnaryFunction::abs, n), {1}));
    const Output less = b.make<ops::Compare>("", ops::CompareFunction::less, x, x);
    b.output("e", reduce(b, ReduceFunction::logical_or, less, {1}));
    const Output half = b.input("h", "[?,7]", ElementType::f16);
    b.output("f", b.make<ops::Softmax>("", unary(b, UnaryFunction::relu, half), 1));
    expect_unchanged(*b.graph(), cpu::fuse_prologues);
}

TEST(FusePrologues, ProfilesShowTheOriginalOps) {
    GraphBuilder b;
    const Output first = unary(b, UnaryFunction::tanh, b.input("x", "[?,8]"), "first");
    b.output("y", reduce(b, ReduceFunction::l2, first, {1}, false, "second"));
    auto device = on_cpu(*b.graph(), {{property::kPerfCount, "YES"}});
    const auto kernels = device.executable->kernels();
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].node_name, "first");
    EXPECT_EQ(kernels[0].node_type, "Tanh");
    EXPECT_EQ(kernels[1].node_name, "second");
    EXPECT_EQ(kernels[1].reason, "part of 'first'");
    EXPECT_EQ(count_nodes(*runtime_graph(device), "ReduceL2"), 1u);
}

// Rows of every length, also some that don't stay in the cache, few and many; no rows, and rows of
// nothing.
TEST(FusePrologues, ReductionsHaveTheBitsOfSingleOps) {
    auto rng = test_rng();
    for (const auto& [op, function, types] : ops::kReduceOps) {
        if (types != ops::TypeRule::number) continue;
        for (const ElementType type : {ElementType::f32, ElementType::f64}) {
            GraphBuilder b;
            const Output x = b.input("x", "[?,?,?]", type), m = b.input("m", "[?,1,1]", type);
            const Output difference = binary(b, BinaryFunction::subtract, x, m);
            b.output("rows",
                     reduce(b, function,
                            binary(b, BinaryFunction::multiply, difference, difference), {2}));
            const Output row = b.input("row", "[?]", type);
            b.output("planes", reduce(b, function,
                                      unary(b, UnaryFunction::sigmoid,
                                            binary(b, BinaryFunction::add, x, row)),
                                      {1, 2}, true));
            const auto graph = b.graph();
            for (const Shape& shape :
                 {Shape{3, 5, 7}, Shape{1, 1, 1}, Shape{40, 3, 33}, Shape{2, 0, 3}, Shape{2, 3, 0},
                  Shape{1, 2, 70001}, Shape{0, 2, 2}}) {
                SCOPED_TRACE(to_string(shape));
                expect_bits_of_passes_up_to(
                    "fuse_epilogues", *graph,
                    {random_tensor(type, shape, rng), random_tensor(type, {shape[0], 1, 1}, rng),
                     random_tensor(type, {shape[2]}, rng)},
                    1e-3);
            }
        }
    }
}

template <typename Softmax>
void expect_bits_of_single_ops(ElementType type, Rng& rng) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,?]", type), mask = b.input("mask", "[?,1,?]", type);
    const Output keep = b.input("keep", "[?,?,?]", ElementType::boolean);
    const Output sum = binary(b, BinaryFunction::add, x, mask);
    b.output("y", b.make<Softmax>("", b.make<ops::Select>("", keep, sum, mask), 2));
    const auto graph = b.graph();
    for (const Shape& shape : {Shape{2, 3, 5}, Shape{1, 1, 1}, Shape{3, 40, 65}, Shape{2, 2, 9001},
                               Shape{2, 0, 3}, Shape{2, 3, 0}}) {
        SCOPED_TRACE(to_string(shape));
        expect_bits_of_passes_up_to("fuse_epilogues", *graph,
                                    {random_tensor(type, shape, rng, -9, 9),
                                     random_tensor(type, {shape[0], 1, shape[2]}, rng),
                                     random_tensor(ElementType::boolean, shape, rng)},
                                    1e-5);
    }
}

TEST(FusePrologues, SoftmaxHasTheBitsOfSingleOps) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        expect_bits_of_single_ops<ops::Softmax>(type, rng);
        expect_bits_of_single_ops<ops::LogSoftmax>(type, rng);
    }
}

}  // namespace
}  // namespace rondo::test::fuse_prologues_test
