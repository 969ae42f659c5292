#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/transformations/lowering/layers.hpp"

namespace rondo::passes::cell_decomposition_test {
namespace {

using namespace test;  // NOLINT: tests only

LayerSpec cell(ops::CellType type, std::vector<std::string> activations = {}) {
    LayerSpec spec{.cell = type, .is_sequence = false, .x_shape = "[?,4]"};
    spec.attributes.activations = std::move(activations);
    return spec;
}

void expect_no_cell(const LayerSpec& spec, double tolerance = 4e-6) {
    const auto graph = layer_graph(spec);
    expect_lowered(*graph, cell_decomposition, layer_inputs(spec), tolerance);
    for (const char* type : {"LSTMCell", "GRUCell", "RNNCell"}) {
        EXPECT_EQ(count_nodes(*graph, type), 0u);
    }
}

// LSTMCell with P -> X W^T + H R^T + B -> Split -> gates -> C', H'.
TEST(CellDecomposition, WritesPeepholesAndCoupledGates) {
    auto spec = cell(ops::CellType::lstm);
    spec.has_peepholes = true;
    expect_no_cell(spec);
    spec.attributes.input_forget = true;
    expect_no_cell(spec);
    spec.attributes.clip = 0.4F;
    expect_no_cell(spec);
    spec.has_peepholes = false;
    expect_no_cell(spec);
}

TEST(CellDecomposition, WritesBothKindsOfGru) {
    for (const bool linear_before_reset : {false, true}) {
        auto spec = cell(ops::CellType::gru, {"hardsigmoid", "softsign"});
        spec.attributes.linear_before_reset = linear_before_reset;
        expect_no_cell(spec);
        spec.attributes.clip = 0.3F;
        expect_no_cell(spec);
    }
}

TEST(CellDecomposition, ComputesTypesOf16BitsInF32) {
    for (const auto type : {ElementType::f16, ElementType::bf16, ElementType::f64}) {
        auto spec = cell(ops::CellType::gru, {"elu", "scaledtanh"});
        spec.type = type;
        expect_no_cell(spec, type == ElementType::f64 ? 1e-7 : 0.02);
    }
}

TEST(CellDecomposition, LeavesStandardCells) {
    for (const auto type : {ops::CellType::lstm, ops::CellType::gru, ops::CellType::rnn}) {
        expect_unchanged(*layer_graph(cell(type)), cell_decomposition);
    }
    LayerSpec sequence;
    sequence.has_peepholes = true;
    expect_unchanged(*layer_graph(sequence), cell_decomposition);
}

}  // namespace
}  // namespace rondo::passes::cell_decomposition_test
