// Elementwise ops of f16 and bf16.
#include <gtest/gtest.h>

#include <limits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::half_node_test {
namespace {

// Makes the op of inputs of one type.
using MakeOp = NodePtr (*)(const std::vector<Output>& inputs);

std::shared_ptr<Graph> graph_with(MakeOp make, const std::vector<Tensor>& inputs) {
    std::vector<NodePtr> parameters;
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        parameters.push_back(parameter("x" + std::to_string(i), PartialShape(inputs[i].shape()),
                                       inputs[i].element_type()));
        outputs.push_back(parameters.back());
    }
    return graph_of(parameters, {named(make(outputs), "op")});
}

// The result of f32, rounded once, to the bit; with one and with two threads.
void expect_rounded_f32(MakeOp make, const std::vector<Shape>& shapes) {
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
        SCOPED_TRACE(to_string(type));
        auto rng = test_rng();
        std::vector<Tensor> halves;
        std::vector<Tensor> floats;
        for (const Shape& shape : shapes) {
            halves.push_back(converted(random_tensor(ElementType::f32, shape, rng, -4, 4), type));
            floats.push_back(converted(halves.back(), ElementType::f32));
        }
        const Tensor wide = on_cpu(*graph_with(make, floats)).run(floats)[0];
        const bool is_number = wide.element_type() == ElementType::f32;
        const Tensor expected = is_number ? converted(wide, type) : wide;
        const auto graph = graph_with(make, halves);
        EXPECT_TRUE(kernel_of(*graph, "op").ends_with("_" + std::string(to_string(type))));
        for (const char* threads : {"1", "2"}) {
            auto device = on_cpu(*graph, {{property::kInferenceNumThreads, threads}});
            expect_same(device.run(halves)[0], expected);
        }
    }
}

template <ops::UnaryFunction function>
NodePtr unary(const std::vector<Output>& inputs) {
    return make_node<ops::Unary>(function, inputs[0]);
}

template <ops::BinaryFunction function>
NodePtr binary(const std::vector<Output>& inputs) {
    return make_node<ops::Binary>(function, inputs[0], inputs[1]);
}

TEST(HalfNode, FunctionsGiveTheRoundedResultOfF32) {
    for (const Shape& shape : {Shape{}, Shape{3, 0}, Shape{511}, Shape{2, 3, 41}, Shape{90001}}) {
        expect_rounded_f32(unary<ops::UnaryFunction::tanh>, {shape});
        expect_rounded_f32(unary<ops::UnaryFunction::exp>, {shape});
    }
}

TEST(HalfNode, OperandsAreBroadcast) {
    for (const MakeOp make : {binary<ops::BinaryFunction::add>, binary<ops::BinaryFunction::divide>,
                              binary<ops::BinaryFunction::maximum>}) {
        expect_rounded_f32(make, {{1025}, {1025}});
        expect_rounded_f32(make, {{1025}, {}});
        expect_rounded_f32(make, {{7, 600}, {7, 1}});
        expect_rounded_f32(make, {{3, 1, 600}, {5, 1}});
    }
}

TEST(HalfNode, TruthValuesStayBytes) {
    expect_rounded_f32(
        [](const std::vector<Output>& inputs) -> NodePtr {
            return make_node<ops::Compare>(ops::CompareFunction::less, inputs[0], inputs[1]);
        },
        {{5, 700}, {700}});
    expect_rounded_f32(
        [](const std::vector<Output>& inputs) -> NodePtr {
            const auto truth =
                make_node<ops::Compare>(ops::CompareFunction::less, inputs[0], inputs[1]);
            return make_node<ops::Select>(truth, inputs[0], inputs[1]);
        },
        {{5, 700}, {1, 700}});
}

// bf16 holds numbers that f16 would turn into infinities.
TEST(HalfNode, ResultsOutOfRangeAreInfinite) {
    const auto graph = [](ElementType type) {
        const auto x = parameter("x", {2}, type);
        return graph_of({x},
                        {named(make_node<ops::Binary>(ops::BinaryFunction::multiply, x, x), "op")});
    };
    const Tensor x = tensor_of<float>({2}, {300, -0.0f});
    const Tensor f16 = on_cpu(*graph(ElementType::f16)).run({converted(x, ElementType::f16)})[0];
    EXPECT_EQ(element_at(f16, 0), std::numeric_limits<long double>::infinity());
    const Tensor bf16 = on_cpu(*graph(ElementType::bf16)).run({converted(x, ElementType::bf16)})[0];
    EXPECT_EQ(element_at(bf16, 0), 90112);  // 90000, of 8 bits
    EXPECT_EQ(element_at(bf16, 1), 0);
}

}  // namespace
}  // namespace rondo::test::half_node_test
