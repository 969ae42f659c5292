#include "plugins/cpu/ops/fused_op.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/ops.hpp"

namespace rondo::test::fused_op_test {
namespace {

using cpu::FusedElementwise;
using cpu::FusedOp;

// tanh(a - b) - a, of any op type: only the parts matter here.
std::shared_ptr<FusedElementwise> fused(GraphBuilder& b) {
    const Output x = b.input("a", "[?,3]"), y = b.input("b", "[3]");
    const NodePtr difference =
        b.make<ops::Binary>("difference", ops::BinaryFunction::subtract, x, y);
    const NodePtr tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, difference);
    const NodePtr last = b.make<ops::Binary>("last", ops::BinaryFunction::subtract, tanh, x);
    FusedOp::Parts parts{{cpu::detached(*difference), {{false, 0}, {false, 1}}},
                         {cpu::detached(*tanh), {{true, 0}}},
                         {cpu::detached(*last), {{true, 1}, {false, 0}}}};
    return b.make<FusedElementwise>("fused", std::vector<Output>{x, y}, std::move(parts));
}

TEST(FusedOp, InfersThroughItsParts) {
    GraphBuilder b;
    EXPECT_EQ(inferred(*fused(b), 0), "f32[?,3]");
}

TEST(FusedOp, EvaluatesAsItsPartsDo) {
    GraphBuilder b;
    const auto op = fused(b);
    auto rng = test_rng();
    const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {2, 3}, rng),
                                     random_tensor(ElementType::f32, {3}, rng)};
    std::vector<Tensor> outputs{Tensor(ElementType::f32, {2, 3})};
    ASSERT_TRUE(op->has_evaluators());
    op->evaluate(inputs, outputs);
    for (std::size_t i = 0; i < 6; ++i) {
        const double a = inputs[0].data<float>()[i], c = inputs[1].data<float>()[i % 3];
        EXPECT_NEAR(outputs[0].data<float>()[i], std::tanh(a - c) - a, 1e-6);
    }
}

TEST(FusedOp, SaysWhereAPartHasNoEvaluator) {
    GraphBuilder b;
    const Output read = b.read("state", "[3]");
    const auto op = b.make<FusedElementwise>("fused", std::vector<Output>{},
                                             FusedOp::Parts{{cpu::detached(read.node()), {}}});
    EXPECT_FALSE(op->has_evaluators());
}

TEST(FusedOp, GivesItsPartsBack) {
    GraphBuilder b;
    const Output last = fused(b)->expanded();
    EXPECT_EQ(last.node().name(), "last");
    EXPECT_EQ(last.node().input(1).node().name(), "a");
    EXPECT_EQ(last.node().input(0).node().name(), "tanh");
    EXPECT_EQ(last.node().input(0).node().input(0).node().name(), "difference");
}

}  // namespace
}  // namespace rondo::test::fused_op_test
