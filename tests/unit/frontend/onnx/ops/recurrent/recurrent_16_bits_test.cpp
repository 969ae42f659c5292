// How nodes of float16 and bfloat16 become ops: with biases they compute in f32.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::recurrent_16_bits_test {
namespace {

using test::ModelBuilder;

constexpr std::int64_t kWithBfloat16 = 22;

ModelBuilder model_of(const std::string& op_type, ElementType type, bool with_bias) {
    const std::size_t gates = op_type == "LSTM" ? 4 : op_type == "GRU" ? 3 : 1;
    ModelBuilder model(kWithBfloat16);
    model.input("X", type, {2, 1, 3}).output("Y").output("Y_h");
    model.initializer("W", Tensor(type, {1, gates * 2, 3}));
    model.initializer("R", Tensor(type, {1, gates * 2, 2}));
    model.initializer("B", Tensor(type, {1, gates * 4}));
    model.node(op_type, {"X", "W", "R", with_bias ? "B" : ""}, {"Y", "Y_h"});
    return model;
}

std::shared_ptr<ops::RecurrentOp> recurrent_of(const Graph& graph) {
    for (const auto& node : graph.ordered_nodes()) {
        if (auto found = std::dynamic_pointer_cast<ops::RecurrentOp>(node)) return found;
    }
    return nullptr;
}

void expect_types(const Graph& graph, const ops::RecurrentOp& op, ElementType computed,
                  ElementType seen) {
    EXPECT_EQ(op.input(op.x_port()).element_type(), computed);
    EXPECT_EQ(op.input(op.b_port()).element_type(), computed);
    EXPECT_EQ(op.output_type(0), computed);
    for (const auto& result : graph.results()) EXPECT_EQ(result->input(0).element_type(), seen);
}

TEST(OnnxRecurrent16Bits, ComputesInF32WhereThereAreBiases) {
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
            const auto graph = model_of(op_type, type, true).read();
            const auto op = recurrent_of(*graph);
            expect_types(*graph, *op, ElementType::f32, type);
        }
    }
}

// As in an IR with compressed weights: no pass may fold these into f32 constants.
TEST(OnnxRecurrent16Bits, KeepsWeightsIn16Bits) {
    const auto graph = model_of("GRU", ElementType::f16, true).read();
    const auto op = recurrent_of(*graph);
    for (const std::size_t port : {op->w_port(), op->r_port()}) {
        const Node& source = op->input(port).node();
        EXPECT_EQ(source.type_name(), "Convert");
        EXPECT_TRUE(source.rt_info().contains("decompression"));
        EXPECT_EQ(source.input(0).element_type(), ElementType::f16);
    }
    EXPECT_FALSE(op->input(op->b_port()).node().rt_info().contains("decompression"));
}

TEST(OnnxRecurrent16Bits, StaysAsItIsWithoutBiases) {
    const auto graph = model_of("LSTM", ElementType::bf16, false).read();
    expect_types(*graph, *recurrent_of(*graph), ElementType::bf16, ElementType::bf16);
}

}  // namespace
}  // namespace rondo::onnx::recurrent_16_bits_test
