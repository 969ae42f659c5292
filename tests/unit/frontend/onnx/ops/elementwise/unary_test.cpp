// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/op_list.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::unary_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

Tensor run(const char* op_type, const Tensor& x, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    model.input("x", x.element_type(), x.shape()).output("y").node(op_type, {"x"}, {"y"});
    return model.run({x}).at(0);
}

TEST(OnnxUnary, Computes) {
    const auto x = tensor_of<float>({2}, {-1, 2});
    for (const std::int64_t opset : {1, 6, 13}) {
        expect_same(run("Relu", x, opset), tensor_of<float>({2}, {0, 2}));
        expect_near(run("Sigmoid", x, opset), tensor_of<float>({2}, {0.26894142f, 0.8807971f}),
                    1e-6);
        expect_near(run("Tanh", x, opset), tensor_of<float>({2}, {-0.7615942f, 0.9640276f}), 1e-6);
        expect_same(run("Sqrt", tensor_of<float>({2}, {9, 0.25f}), opset),
                    tensor_of<float>({2}, {3, 0.5f}));
    }
}

TEST(OnnxUnary, RefusesIntegersWhereTheOpDoes) {
    expect_error<UnsupportedError>([] { run("Sigmoid", tensor_of<std::int32_t>({1}, {1})); },
                                   "the input is i32; expected a floating type");
}

TEST(OnnxUnary, ReadsTheAttributeOfOldOpsets) {
    ModelBuilder model(1);
    model.input("x", ElementType::f32, {1}).output("y");
    model.node("Exp", {"x"}, {"y"}).with("consumed_inputs", std::vector<std::int64_t>{0});
    expect_same(model.run({tensor_of<float>({1}, {0})}).at(0), tensor_of<float>({1}, {1}));
}

// The operators that are a row of the family.
constexpr const char* kNames[] = {
    "Abs",      "Acos",     "Acosh", "Asin",  "Asinh",   "Atan",      "Atanh", "Ceil",
    "Cos",      "Cosh",     "Erf",   "Exp",   "Floor",   "HardSwish", "Log",   "Mish",
    "Neg",      "Not",      "Relu",  "Round", "Sigmoid", "Sign",      "Sin",   "Sinh",
    "Softplus", "Softsign", "Sqrt",  "Tan",   "Tanh",
};

// Each row is read from the first opset that has it, and computes what its function's facts say.
TEST(OnnxUnary, EveryRowComputesItsFunction) {
    auto rng = test::test_rng();
    for (const char* name : kNames) {
        SCOPED_TRACE(name);
        const auto entry = std::find_if(op_list().begin(), op_list().end(), [&](const auto& row) {
            return row.domain.empty() && row.name == name;
        });
        ASSERT_NE(entry, op_list().end());
        const bool is_not = entry->name == "Not";
        const ElementType type = is_not ? ElementType::boolean : ElementType::f32;
        ModelBuilder model(entry->since);
        model.input("x", type, {Dimension()}).output("y");
        model.node(name, {"x"}, {"y"}, "node");
        const auto graph = model.read();
        const auto node = as<ops::Unary>(graph->results().at(0)->input(0));
        ASSERT_NE(node, nullptr);
        EXPECT_EQ(node->name(), "node");
        const auto& facts = test::unary_facts().at(static_cast<std::size_t>(node->function()));
        if (facts.of == nullptr) continue;
        const Tensor x = test::unary_samples(facts, type, rng);
        test::expect_unary(facts, x, test::evaluate(*graph, {x}).at(0));
    }
}

}  // namespace
}  // namespace rondo::onnx::unary_test
