#include "transformations/recurrent/recognition/op_formula.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"
#include "transformations/recurrent/recognition/recognise_cell.hpp"

namespace rondo::passes::op_formula_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::size_t kInput = 3, kHidden = 4;

template <typename Op>
class OpMaker {
public:
    explicit OpMaker(ops::RecurrentAttributes attributes) : attributes_(std::move(attributes)) {
        attributes_.hidden_size = kHidden;
    }

    std::shared_ptr<Op> make(const std::string& steps = "1", bool with_peepholes = false) {
        const bool is_sequence = Op().is_sequence();
        const std::string x = is_sequence ? "[2," + steps + ",3]" : "[2,3]";
        const std::string state = is_sequence ? "[2,1,4]" : "[2,4]";
        std::vector<Output> inputs{b_.input("x", x), b_.input("h", state)};
        if (Op().cell_type() == ops::CellType::lstm) inputs.push_back(b_.input("c", state));
        if (is_sequence) {
            const std::int64_t length = std::stoll(steps);
            inputs.push_back(b_.constant(tensor_of<std::int64_t>({2}, {length, length})));
        }
        const auto gates = static_cast<std::size_t>(ops::info_of(Op().cell_type()).gates);
        const std::size_t biases = attributes_.linear_before_reset ? 4 : gates;
        inputs.push_back(weights({gates * kHidden, kInput}, is_sequence));
        inputs.push_back(weights({gates * kHidden, kHidden}, is_sequence));
        inputs.push_back(weights({biases * kHidden}, is_sequence));
        if (with_peepholes) inputs.push_back(weights({3 * kHidden}, is_sequence));
        auto op = std::make_shared<Op>(std::move(inputs));
        op->set_attributes(attributes_);
        op->validate();
        return op;
    }

private:
    Output weights(Shape shape, bool with_direction) {
        if (with_direction) shape.insert(shape.begin(), 1);
        return b_.constant(random_tensor(ElementType::f32, shape, rng_, -1, 1));
    }

    ops::RecurrentAttributes attributes_;
    GraphBuilder b_;
    Rng rng_{7};
};

std::vector<GateFormula> formulas_of(GateAlgebra& algebra, const ops::RecurrentOp& op) {
    std::vector<GateFormula> formulas;
    const std::size_t states = op.cell_type() == ops::CellType::lstm ? 2 : 1;
    const OpInputs inputs{[&](const Output& value) -> std::optional<GateFormula> {
                              return algebra.state(value == op.input(op.h_port()) ? 0 : 1, kHidden);
                          },
                          [&](const Output&, const GateMatrix& matrix) {
                              return algebra.matrix_product(algebra.input(0, kInput), matrix);
                          }};
    for (std::size_t state = 0; state < states; ++state) {
        const auto formula = formula_of_op(algebra, op, state, inputs);
        if (formula) formulas.push_back(*formula);
    }
    return formulas;
}

void expect_equal(const Tensor& got, const Output& expected) {
    const Tensor weights = known_value(expected);
    ASSERT_EQ(got.size(), weights.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got.data<float>()[i], weights.data<float>()[i]) << i;
    }
}

// What a cell's recogniser makes of the formulas is the op again.
void expect_same_cell(const ops::RecurrentOp& op) {
    SCOPED_TRACE(op.type_name());
    GateAlgebra algebra;
    const auto cell = recognise_cell(algebra, formulas_of(algebra, op));
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->type, op.cell_type());
    EXPECT_EQ(cell->attributes.linear_before_reset, op.attributes().linear_before_reset);
    EXPECT_EQ(cell->hidden_state, 0u);
    expect_equal(cell->w, op.input(op.w_port()));
    expect_equal(cell->r, op.input(op.r_port()));
    expect_equal(cell->b, op.input(op.b_port()));
    if (op.p_port() != ops::RecurrentOp::npos) expect_equal(cell->p, op.input(op.p_port()));
}

TEST(OpFormula, IsTheCellThatTheOpComputes) {
    ops::RecurrentAttributes plain, before_reset, hard;
    before_reset.linear_before_reset = true;
    hard.activations = {"hardsigmoid", "relu", "softsign"};
    hard.activations_alpha = {0.3F};
    hard.activations_beta = {0.4F};
    for (const auto& attributes : {plain, hard}) {
        expect_same_cell(*OpMaker<ops::LSTMCell>(attributes).make());
        expect_same_cell(*OpMaker<ops::LSTMSequence>(attributes).make());
    }
    expect_same_cell(*OpMaker<ops::LSTMCell>(plain).make("1", true));
    for (const auto& attributes : {plain, before_reset}) {
        expect_same_cell(*OpMaker<ops::GRUCell>(attributes).make());
        expect_same_cell(*OpMaker<ops::GRUSequence>(attributes).make());
    }
    expect_same_cell(*OpMaker<ops::RNNCell>(plain).make());
}

// The input gate decides on the forget gate, whose own rows of the weights are read by nothing.
TEST(OpFormula, CouplesTheGates) {
    ops::RecurrentAttributes coupled;
    coupled.input_forget = true;
    const auto op = OpMaker<ops::LSTMCell>(coupled).make();
    GateAlgebra algebra;
    const auto cell = recognise_cell(algebra, formulas_of(algebra, *op));
    ASSERT_TRUE(cell);
    const float* w = cell->w.data<float>();
    for (std::size_t i = 0; i < kHidden * kInput; ++i) {
        EXPECT_EQ(w[i], -w[kHidden * kInput + i]) << i;
    }
}

TEST(OpFormula, IsNoneOfSeveralStepsOrBoundedGates) {
    GateAlgebra algebra;
    EXPECT_TRUE(formulas_of(algebra, *OpMaker<ops::LSTMSequence>({}).make("2")).empty());
    ops::RecurrentAttributes clipped;
    clipped.clip = 1;
    EXPECT_TRUE(formulas_of(algebra, *OpMaker<ops::LSTMCell>(clipped).make()).empty());
}

}  // namespace
}  // namespace rondo::passes::op_formula_test
