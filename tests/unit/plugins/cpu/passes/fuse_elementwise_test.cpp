#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"
#include "tests/unit/plugins/cpu/passes/elementwise_nodes.hpp"

namespace rondo::test::fuse_elementwise_test {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

Output number(GraphBuilder& b, float value) { return b.constant(scalar_of<float>(value)); }

std::shared_ptr<cpu::FusedElementwise> fused_behind(const Graph& graph, std::size_t result) {
    return as<cpu::FusedElementwise>(graph.results()[result]->input(0));
}

// The pass changes the graph, keeps bits and names, and expand_fused gives all of it back.
void expect_fused(const std::shared_ptr<Graph>& graph) {
    const std::string before = to_text(*graph);
    EXPECT_TRUE(cpu::fuse_elementwise(*graph));
    graph->validate();
    check_graph(*graph);
    expect_unchanged(*graph, cpu::fuse_elementwise);
    const auto copy = graph->clone();
    EXPECT_TRUE(cpu::expand_fused(*copy));
    copy->validate();
    check_graph(*copy);
    EXPECT_EQ(to_text(*copy), before);
}

//   x   y                  x   y
//    \ /                    \ /
//    Add   2         =>   FusedElementwise
//      \  /
//   Multiply -> Tanh
TEST(FuseElementwise, JoinsAChain) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,8]"), y = b.input("y", "[?,8]");
    const Output sum = binary(b, BinaryFunction::add, x, y, "sum");
    const Output twice = binary(b, BinaryFunction::multiply, sum, number(b, 2), "twice");
    b.output("out", unary(b, UnaryFunction::tanh, twice, "tanh"));
    const auto graph = b.graph();
    expect_fused(graph);
    const auto fused = fused_behind(*graph, 0);
    ASSERT_NE(fused, nullptr);
    EXPECT_EQ(fused->name(), "tanh");
    EXPECT_EQ(fused->parts().size(), 3u);
    EXPECT_EQ(fused->output(0).names(), std::set<std::string>{"out"});
}

// A value that is read twice may be inside where both readers are: x * sigmoid(x), for one.
TEST(FuseElementwise, JoinsADiamond) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,?]");
    const Output shifted = binary(b, BinaryFunction::add, x, number(b, 1));
    b.output("out", binary(b, BinaryFunction::multiply, shifted,
                           unary(b, UnaryFunction::sigmoid, shifted)));
    const auto graph = b.graph();
    expect_fused(graph);
    EXPECT_EQ(fused_behind(*graph, 0)->parts().size(), 3u);
}

TEST(FuseElementwise, JoinsTruthValues) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,5]"), y = b.input("y", "[?,5]");
    const Output mask = b.input("mask", "[?,5]", ElementType::boolean);
    const Output larger = b.make<ops::Compare>("", CompareFunction::greater, x, y);
    const Output both = b.make<ops::Logical>("", ops::LogicalFunction::logical_and, larger, mask);
    const Output count = b.make<ops::Convert>("", both, ElementType::f32);
    const Output chosen = b.make<ops::Select>("", both, x, y);
    b.output("out", binary(b, BinaryFunction::subtract, chosen, count));
    const auto graph = b.graph();
    const auto original = graph->clone();
    expect_fused(graph);
    EXPECT_EQ(fused_behind(*graph, 0)->parts().size(), 5u);
    auto rng = test_rng();
    for (const std::size_t rows : {1, 7, 40}) {
        const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {rows, 5}, rng),
                                         random_tensor(ElementType::f32, {rows, 5}, rng),
                                         random_tensor(ElementType::boolean, {rows, 5}, rng)};
        expect_like_reference(*original, inputs, 1e-6);
    }
}

TEST(FuseElementwise, LeavesSingleOpsAlone) {
    GraphBuilder b;
    b.output("out", unary(b, UnaryFunction::tanh, b.input("x", "[?]")));
    expect_unchanged(*b.graph(), cpu::fuse_elementwise);
}

// What something else reads, too, has to be there; its readers are fused after it.
TEST(FuseElementwise, KeepsWhatOthersRead) {
    GraphBuilder b;
    const Output sum =
        binary(b, BinaryFunction::add, b.input("x", "[?]"), b.input("y", "[?]"), "sum");
    b.output("sum_out", sum);
    b.output("out", unary(b, UnaryFunction::relu, unary(b, UnaryFunction::tanh, sum)));
    const auto graph = b.graph();
    expect_fused(graph);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "sum");
    EXPECT_EQ(fused_behind(*graph, 1)->parts().size(), 2u);
}

// A row's function is not computed for each of the rows that it is added to.
TEST(FuseElementwise, LeavesSmallerValuesOutside) {
    GraphBuilder b;
    const Output row = unary(b, UnaryFunction::tanh, b.input("row", "[8]"));
    b.output("out", binary(b, BinaryFunction::add, b.input("x", "[?,8]"), row));
    expect_unchanged(*b.graph(), cpu::fuse_elementwise);
}

TEST(FuseElementwise, LeavesOtherTypesAndFunctionsAlone) {
    GraphBuilder b;
    const Output whole = b.input("n", "[?]", ElementType::i64);
    const Output half = b.input("h", "[?]", ElementType::f16);
    const Output x = b.input("x", "[?]");
    b.output("a",
             binary(b, BinaryFunction::add, binary(b, BinaryFunction::add, whole, whole), whole));
    b.output("b", unary(b, UnaryFunction::tanh, unary(b, UnaryFunction::tanh, half)));
    b.output("c", unary(b, UnaryFunction::sinh, unary(b, UnaryFunction::acos, x)));
    expect_unchanged(*b.graph(), cpu::fuse_elementwise);
}

// f32 and f64 have programs of their own.
TEST(FuseElementwise, KeepsPrecisionsApart) {
    GraphBuilder b;
    const Output truth =
        b.make<ops::Compare>("", CompareFunction::less, b.input("x", "[?]"), b.input("y", "[?]"));
    const Output wide = b.make<ops::Convert>("", truth, ElementType::f64);
    b.output("out", unary(b, UnaryFunction::tanh, wide));
    const auto graph = b.graph();
    expect_fused(graph);
    EXPECT_EQ(fused_behind(*graph, 0)->parts().size(), 2u);
}

// Longer chains and more inputs than a program has become several.
TEST(FuseElementwise, SplitsLongPrograms) {
    GraphBuilder b;
    Output chain = b.input("x", "[?]");
    for (int i = 0; i < 100; ++i) chain = unary(b, UnaryFunction::tanh, chain);
    Output sum = b.input("y0", "[?]");
    for (int i = 1; i < 20; ++i) {
        sum = binary(b, BinaryFunction::add, sum, b.input("y" + std::to_string(i), "[?]"));
    }
    b.output("chain", chain);
    b.output("sum", sum);
    const auto graph = b.graph();
    const auto original = graph->clone();
    expect_fused(graph);
    EXPECT_EQ(count_nodes(*graph, "FusedElementwise"), 7u);
    auto rng = test_rng();
    std::vector<Tensor> inputs;
    for (int i = 0; i < 21; ++i) inputs.push_back(random_tensor(ElementType::f32, {37}, rng));
    expect_like_reference(*original, inputs, 1e-4);
}

// A constant truth value is an input of the program, unlike a number.
TEST(FuseElementwise, CountsConstantTruthValuesAsInputs) {
    GraphBuilder b;
    Output sum = b.make<ops::Select>("", b.constant(scalar_of(true)), b.input("x", "[?]"),
                                     b.input("y", "[?]"));
    for (int i = 0; i < 5; ++i) {
        sum = binary(b, BinaryFunction::add, sum, b.input("z" + std::to_string(i), "[?]"));
        sum = binary(b, BinaryFunction::add, sum, number(b, 0.5f));
    }
    b.output("out", sum);
    const auto graph = b.graph();
    const auto original = graph->clone();
    expect_fused(graph);
    auto rng = test_rng();
    std::vector<Tensor> inputs;
    for (int i = 0; i < 7; ++i) inputs.push_back(random_tensor(ElementType::f32, {37}, rng));
    expect_like_reference(*original, inputs, 1e-5);
}

TEST(FuseElementwise, ProfilesShowTheOriginalOps) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output first = unary(b, UnaryFunction::tanh, x, "first");
    b.output("out", binary(b, BinaryFunction::add, first, x, "second"));
    auto device = on_cpu(*b.graph(), {{property::kPerfCount, "YES"}});
    const auto kernels = device.executable->kernels();
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].node_name, "first");
    EXPECT_EQ(kernels[0].node_type, "Tanh");
    EXPECT_TRUE(kernels[0].kernel.starts_with("elementwise_")) << kernels[0].kernel;
    EXPECT_EQ(kernels[1].node_name, "second");
    EXPECT_EQ(kernels[1].node_type, "Add");
    EXPECT_EQ(kernels[1].reason, "part of 'first'");
    auto rng = test_rng();
    device.run({random_tensor(ElementType::f32, {9}, rng)});
    EXPECT_EQ(device.executor->profiling().at(1).exec_type, "part of 'first'");
    EXPECT_EQ(count_nodes(*runtime_graph(device), "Add"), 1u);
}

// Fused ops whose inputs follow from shapes are computed by the plan, as their parts would be.
TEST(FuseElementwise, ValuesKnownFromShapes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]");
    const Output extents = b.make<ops::Convert>("", b.make<ops::ShapeOf>("", x), ElementType::f32);
    const Output more = binary(b, BinaryFunction::add, extents, number(b, 0.5f));
    b.output("out", binary(b, BinaryFunction::multiply, more, more));
    const auto graph = b.graph();
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    for (const std::size_t rows : {2, 9}) {
        const std::vector<Tensor> inputs{Tensor(ElementType::f32, {rows, 3})};
        expect_near(device.run(inputs)[0], on_reference(*graph).run(inputs)[0], 0);
        for (const auto& row : device.executor->profiling()) {
            EXPECT_EQ(row.status, ProfilingInfo::ExecutionStatus::optimized_out) << row.node_name;
        }
    }
}

// Graphs of elementwise ops of every kind on inputs that are whole, rows, columns or scalars.
std::shared_ptr<Graph> random_graph(Rng& rng) {
    GraphBuilder b;
    std::vector<Output> numbers, truths;
    for (const char* shape : {"[?,?]", "[?,?]", "[1,?]", "[?,1]", "[]"}) {
        numbers.push_back(b.input("x" + std::to_string(numbers.size()), shape));
    }
    const auto any = [&](const std::vector<Output>& values) {
        const auto last = static_cast<std::int64_t>(values.size()) - 1;
        return values[static_cast<std::size_t>(uniform_int(rng, 0, last))];
    };
    for (std::int64_t i = uniform_int(rng, 2, 30); i > 0; --i) {
        const auto kind = uniform_int(rng, 0, truths.empty() ? 3 : 5);
        if (kind == 0) {
            numbers.push_back(unary(b, UnaryFunction::sigmoid, any(numbers)));
        } else if (kind == 1) {
            const UnaryFunction functions[] = {UnaryFunction::tanh, UnaryFunction::relu,
                                               UnaryFunction::mish, UnaryFunction::floor,
                                               UnaryFunction::abs,  UnaryFunction::sqrt};
            numbers.push_back(unary(b, functions[uniform_int(rng, 0, 5)], any(numbers)));
        } else if (kind == 2) {
            const BinaryFunction functions[] = {BinaryFunction::add,      BinaryFunction::subtract,
                                                BinaryFunction::multiply, BinaryFunction::maximum,
                                                BinaryFunction::divide,   BinaryFunction::minimum};
            numbers.push_back(
                binary(b, functions[uniform_int(rng, 0, 5)], any(numbers), any(numbers)));
        } else if (kind == 3) {
            truths.push_back(
                b.make<ops::Compare>("", static_cast<CompareFunction>(uniform_int(rng, 0, 5)),
                                     any(numbers), any(numbers)));
        } else if (kind == 4) {
            numbers.push_back(b.make<ops::Select>("", any(truths), any(numbers), any(numbers)));
        } else {
            numbers.push_back(b.make<ops::Convert>("", any(truths), ElementType::f32));
        }
    }
    b.output("last", numbers.back());
    b.output("other", any(numbers));
    if (!truths.empty()) b.output("truth", truths.back());
    return b.graph();
}

void expect_same_bytes(const Tensor& a, const Tensor& b) {
    ASSERT_EQ(a.shape(), b.shape());
    ASSERT_EQ(a.element_type(), b.element_type());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto x = element_at(a, i), y = element_at(b, i);
        ASSERT_TRUE(x == y || (x != x && y != y)) << i << ": " << x << " is not " << y;
    }
}

TEST(FuseElementwise, FusedGraphsHaveTheBitsOfSingleOps) {
    auto rng = test_rng();
    for (int round = 0; round < 200 && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const auto graph = random_graph(rng);
        auto fused = on_cpu(*graph);
        const auto single = [&] {
            const EnvironmentVariable off("RONDO_CPU_STOP_AFTER", "fuse_bias");
            return on_cpu(*graph);
        };
        auto alone = single();
        for (const Shape& shape : {Shape{3, 17}, Shape{1, 1}, Shape{5, 40}}) {
            std::vector<Tensor> inputs;
            for (const Shape& own :
                 {shape, shape, Shape{1, shape[1]}, Shape{shape[0], 1}, Shape{}}) {
                inputs.push_back(random_tensor(ElementType::f32, own, rng, -3, 3));
            }
            const auto a = fused.run(inputs), e = alone.run(inputs);
            for (std::size_t i = 0; i < a.size(); ++i) expect_same_bytes(a[i], e[i]);
        }
    }
}

}  // namespace
}  // namespace rondo::test::fuse_elementwise_test
