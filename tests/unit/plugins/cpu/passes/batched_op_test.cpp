#include "plugins/cpu/passes/batched_op.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "transformations/batching/vmap/lift_graph.hpp"

namespace rondo::test::batched_op_test {
namespace {

constexpr std::size_t kSteps = 4;

Shape with_steps(const Shape& shape) {
    Shape all{kSteps};
    all.insert(all.end(), shape.begin(), shape.end());
    return all;
}

// Step `number` of a tensor whose first axis holds the steps.
Tensor step_of(const Tensor& all, std::size_t number) {
    const Shape shape(all.shape().begin() + 1, all.shape().end());
    Tensor part(all.element_type(), shape);
    const std::size_t bytes = part.byte_size();
    std::memcpy(part.data(), static_cast<const char*>(all.data()) + number * bytes, bytes);
    return part;
}

// An op of one step, whose first inputs are the builder's, and the same over all steps: equal bits.
void expect_same_steps(GraphBuilder& b, const NodePtr& node, std::vector<bool> varies,
                       SourceLocation where = SourceLocation::current()) {
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "op");
    ASSERT_TRUE(cpu::runs_over_steps(*node, varies));
    for (std::size_t i = 0; i < node->output_count(); ++i) {
        b.output("y" + std::to_string(i), Output(node, i));
    }
    const auto one = b.graph();
    GraphBuilder over;
    std::vector<Output> inputs = node->inputs();
    std::vector<Tensor> values;
    auto rng = test_rng();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (as_op<ops::Parameter>(inputs[i].node()) == nullptr) continue;
        const Shape own = inputs[i].shape().to_shape();
        const Shape shape = varies[i] ? with_steps(own) : own;
        values.push_back(random_tensor(inputs[i].element_type(), shape, rng));
        inputs[i] = over.input("x" + std::to_string(i), to_string(shape), inputs[i].element_type());
    }
    passes::Rewriter rewriter(*one);
    const auto all = passes::outputs_over_rows(rewriter, node, varies, inputs);
    for (std::size_t i = 0; i < all.size(); ++i) over.output("y" + std::to_string(i), all[i]);
    check_graph(*over.graph());
    const auto results = evaluate_graph(*over.graph(), values);
    for (std::size_t step = 0; step < kSteps; ++step) {
        std::vector<Tensor> parts;
        for (std::size_t i = 0, k = 0; i < node->input_count(); ++i) {
            if (as_op<ops::Parameter>(node->input(i).node()) == nullptr) continue;
            parts.push_back(varies[i] ? step_of(values[k], step) : values[k]);
            ++k;
        }
        const auto expected = evaluate_graph(*one, parts);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_same(step_of(results[i], step), expected[i], where);
        }
    }
}

TEST(BatchedOp, ElementwiseOpsBroadcast) {
    using V = std::vector<bool>;
    for (const auto& varies : {V{true, true}, V{true, false}, V{false, true}}) {
        for (const auto& [a, c] :
             {std::pair("[2,3]", "[3]"), std::pair("[3]", "[2,3]"), std::pair("[2,1]", "[1,3]"),
              std::pair("[]", "[2,3]"), std::pair("[2,3]", "[2,3]")}) {
            GraphBuilder b;
            const Output left = b.input("a", a), right = b.input("c", c);
            const auto node = b.make<ops::Binary>("op", ops::BinaryFunction::subtract, left, right);
            expect_same_steps(b, node, varies);
        }
    }
    GraphBuilder b;
    const Output flags = b.input("f", "[3]", ElementType::boolean);
    const Output yes = b.input("yes", "[2,1]"), no = b.input("no", "[]");
    expect_same_steps(b, b.make<ops::Select>("op", flags, yes, no), {true, false, true});
}

TEST(BatchedOp, ProductsOfRows) {
    for (const char* rows : {"[3]", "[2,3]", "[2,1,3]"}) {
        GraphBuilder b;
        const Output x = b.input("x", rows), w = b.input("w", "[3,5]");
        expect_same_steps(b, b.make<ops::MatMul>("op", x, w), {true, false});
    }
    GraphBuilder b;
    const auto both = b.make<ops::MatMul>("op", b.input("x", "[2,3]"), b.input("w", "[3,5]"));
    EXPECT_FALSE(cpu::runs_over_steps(*both, {true, true}));
    EXPECT_FALSE(cpu::runs_over_steps(*both, {false, true}));
}

TEST(BatchedOp, AxesOfAnySign) {
    for (const std::int64_t axis : {0, 1, -1, -2}) {
        GraphBuilder b;
        const Output x = b.input("x", "[2,4]");
        expect_same_steps(
            b, b.make<ops::Reduce>("op", ops::ReduceFunction::sum, x, b.ints({axis}), axis > 0),
            {true, false});
        GraphBuilder c;
        expect_same_steps(
            c, c.make<ops::Mvn>("op", c.input("x", "[2,4]"), c.ints({axis}), ops::MvnAttributes{}),
            {true, false});
        GraphBuilder d;
        expect_same_steps(d, d.make<ops::Softmax>("op", d.input("x", "[2,4]"), axis), {true});
        GraphBuilder e;
        expect_same_steps(e, e.make<ops::LogSoftmax>("op", e.input("x", "[2,4]"), axis), {true});
        GraphBuilder f;
        const std::vector<Output> joined{f.input("x", "[2,4]"), f.input("y", "[2,4]")};
        expect_same_steps(f, f.make<ops::Concat>("op", joined, axis), {true, true});
        GraphBuilder g;
        expect_same_steps(g, g.make<ops::Split>("op", g.input("x", "[2,4]"), i64(g, axis), 2),
                          {true, false});
        GraphBuilder h;
        const Output lengths = h.ints(axis == 0 || axis == -2 ? std::vector<std::int64_t>{1, 1}
                                                              : std::vector<std::int64_t>{1, 3});
        expect_same_steps(
            h, h.make<ops::VariadicSplit>("op", h.input("x", "[2,4]"), i64(h, axis), lengths),
            {true, false, false});
    }
}

TEST(BatchedOp, Layouts) {
    GraphBuilder b;
    const Output order = b.ints({2, 0, 1});
    expect_same_steps(b, b.make<ops::Transpose>("op", b.input("x", "[2,3,4]"), order),
                      {true, false});
    GraphBuilder c;
    const Output pattern = c.ints({0, -1});
    expect_same_steps(c, c.make<ops::Reshape>("op", c.input("x", "[2,3,4]"), pattern, true),
                      {true, false});
    GraphBuilder d;
    const Output axes = d.ints({-2, 0});
    expect_same_steps(d, d.make<ops::Squeeze>("op", d.input("x", "[1,2,1,3]"), axes),
                      {true, false});
    GraphBuilder e;
    const Output places = e.ints({-1, 0});
    expect_same_steps(e, e.make<ops::Unsqueeze>("op", e.input("x", "[2,3]"), places),
                      {true, false});
}

bool never_fails(const Node& node, bool same_extent = false) {
    return cpu::never_fails(
        node, [=](const Output&, std::size_t, const Output&, std::size_t) { return same_extent; });
}

bool sum_never_fails(const char* a, const char* c, bool same_extent = false) {
    GraphBuilder b;
    const Output left = b.input("a", a), right = b.input("c", c);
    return never_fails(*b.make<ops::Binary>("op", ops::BinaryFunction::add, left, right),
                       same_extent);
}

TEST(BatchedOp, BroadcastingOfOpenExtentsMayFail) {
    EXPECT_TRUE(sum_never_fails("[2,3]", "[3]"));
    EXPECT_TRUE(sum_never_fails("[?,3]", "[1,3]"));
    EXPECT_TRUE(sum_never_fails("[?,3]", "[3]"));
    EXPECT_FALSE(sum_never_fails("[?,3]", "[?,3]"));
    EXPECT_FALSE(sum_never_fails("[?,3]", "[2,3]"));
    EXPECT_FALSE(sum_never_fails("[2,3]", "[?,3]"));
    EXPECT_FALSE(sum_never_fails("...", "[3]"));
    EXPECT_TRUE(sum_never_fails("[?,3]", "[?,3]", true));
    GraphBuilder b;
    const Output x = b.input("x", "[?,?]");
    EXPECT_TRUE(never_fails(*b.make<ops::Binary>("op", ops::BinaryFunction::multiply, x, x)));
}

TEST(BatchedOp, OtherOpsMayFailWhereAnExtentThatTheyNeedIsOpen) {
    GraphBuilder b;
    const Output open = b.input("open", "[?,4]"), wide = b.input("wide", "[4,?]");
    const Output matrix = b.constant(Tensor(ElementType::f32, Shape{4, 4}));
    EXPECT_TRUE(never_fails(*b.make<ops::MatMul>("", open, matrix)));
    EXPECT_FALSE(never_fails(*b.make<ops::MatMul>("", wide, matrix)));
    EXPECT_TRUE(never_fails(*b.make<ops::Softmax>("", open, 0)));
    EXPECT_FALSE(never_fails(*b.make<ops::Reshape>("", open, b.ints({2, 4}), false)));
    EXPECT_FALSE(never_fails(*b.make<ops::Split>("", wide, i64(b, 1), 2)));
    const Output unit = b.input("unit", "[1,?,4]");
    EXPECT_TRUE(never_fails(*b.make<ops::Squeeze>("", unit, b.ints({0}))));
    EXPECT_FALSE(never_fails(*b.make<ops::Squeeze>("", unit, b.ints({1}))));
    const Output known = b.input("known", "[2,4]");
    EXPECT_TRUE(never_fails(*b.make<ops::Reshape>("", known, b.ints({4, 2}), false)));
    EXPECT_TRUE(never_fails(*b.make<ops::Split>("", known, i64(b, 1), 2)));
}

// Without broadcasting, each input needs the axis of the steps.
TEST(BatchedOp, NotWhereShapesMustBeEqual) {
    GraphBuilder b;
    const auto op = b.make<ops::Binary>("", ops::BinaryFunction::add, b.input("x", "[2,3]"),
                                        b.input("y", "[2,3]"));
    EXPECT_TRUE(cpu::runs_over_steps(*op, {true, false}));
    op->set_auto_broadcast(ops::AutoBroadcast::none);
    EXPECT_FALSE(cpu::runs_over_steps(*op, {true, false}));
    EXPECT_TRUE(cpu::runs_over_steps(*op, {true, true}));
}

}  // namespace
}  // namespace rondo::test::batched_op_test
