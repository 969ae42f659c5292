// Cells whose gates lie along an axis of their own, in one tensor.
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

namespace rondo::test {
namespace {

using Values = std::vector<Output>;

constexpr std::int64_t kGates = 4;
constexpr auto kUnits = static_cast<std::int64_t>(kStepHidden);

Values gathered(StepWriter& s, const Output& gates, std::int64_t axis,
                const std::vector<std::int64_t>& places = {0, 1, 2, 3}) {
    GraphBuilder& b = s.builder();
    Values all;
    for (const std::int64_t gate : places) {
        all.push_back(b.make<ops::Gather>("", gates, b.constant(scalar_of(gate)), b.ints({axis})));
    }
    return all;
}

Values unbound(StepWriter& s, const Output& gates, std::int64_t axis) {
    GraphBuilder& b = s.builder();
    const auto split = b.make<ops::Split>("", gates, b.constant(scalar_of(axis)), kGates);
    Values all;
    for (std::size_t i = 0; i < kGates; ++i) all.push_back(b.squeeze(split->output(i), {axis}));
    return all;
}

Output transposed(StepWriter& s, const Output& x, const std::vector<std::int64_t>& order) {
    return s.builder().make<ops::Transpose>("", x, s.builder().ints(order));
}

Output batch_product(StepWriter& s, const Output& x, const Shape& weights, const char* name) {
    return s.builder().make<ops::MatMul>("", x, s.weights(name, weights));
}

// The gates as rows of a matrix for each row of the batch.
Values lstm_of_viewed_gates(StepWriter& s, const Output& x, const Values& now) {
    const Output gates =
        s.builder().reshape(s.gate(x, now[0], "gates", kGates * kStepHidden), {-1, kGates, kUnits});
    return lstm_of(s, gathered(s, gates, 1, {0, 1, -2, 3}), now[1]);
}

// Unit 0 of all gates, then unit 1 of all: [N,H,G].
Values lstm_of_gates_beside_each_other(StepWriter& s, const Output& x, const Values& now) {
    const Output gates =
        s.builder().reshape(s.gate(x, now[0], "gates", kGates * kStepHidden), {-1, kUnits, kGates});
    return lstm_of(s, unbound(s, gates, 2), now[1]);
}

Values lstm_of_every_fourth_unit(StepWriter& s, const Output& x, const Values& now) {
    GraphBuilder& b = s.builder();
    const Output gates = s.gate(x, now[0], "gates", kGates * kStepHidden);
    Values all;
    for (const std::int64_t gate : {0, 1, 2, 3}) {
        all.push_back(b.make<ops::Slice>("", gates, b.ints({gate}), b.ints({2147483647}),
                                         b.ints({kGates}), b.ints({1})));
    }
    return lstm_of(s, all, now[1]);
}

// As Einsum bi,ghi->gbh is written: products, viewed and transposed one by one.
Values lstm_of_turned_gates(StepWriter& s, const Output& x, const Values& now) {
    const auto turned = [&](const Output& product) {
        return transposed(s, s.builder().reshape(product, {-1, kGates, kUnits}), {1, 0, 2});
    };
    const Output products = s.sum(turned(s.matmul(x, "W", kGates * kStepHidden)),
                                  turned(s.matmul(now[0], "R", kGates * kStepHidden)));
    const Output gates = s.sum(products, s.weights("b", {kGates, 1, kStepHidden}));
    return lstm_of(s, gathered(s, gates, 0), now[1]);
}

// The sum and the sigmoids of [N,G,H].
Values lstm_of_gates_in_rows(StepWriter& s, const Output& x, const Values& now) {
    GraphBuilder& b = s.builder();
    const auto viewed = [&](const Output& value) { return b.reshape(value, {-1, kGates, kUnits}); };
    const Output sum = s.sum(s.sum(viewed(s.matmul(x, "W", kGates * kStepHidden)),
                                   s.weights("b", {kGates, kStepHidden})),
                             viewed(s.matmul(now[0], "R", kGates * kStepHidden)));
    const Values bounded = unbound(s, s.sigmoid(sum), 1);
    const Output g = s.tanh(gathered(s, sum, 1)[2]);
    const Output c = s.sum(s.product(bounded[1], now[1]), s.product(bounded[0], g));
    return {s.product(bounded[3], s.tanh(c)), c};
}

// A matrix for each gate: [N,I] times [G,I,H].
Values lstm_of_a_batch_of_gates(StepWriter& s, const Output& x, const Values& now) {
    const Output products =
        s.sum(batch_product(s, x, {kGates, kStepInput, kStepHidden}, "W"),
              batch_product(s, now[0], {kGates, kStepHidden, kStepHidden}, "R"));
    const Output gates = s.sum(products, s.weights("b", {kGates, 1, kStepHidden}));
    return lstm_of(s, unbound(s, gates, 0), now[1]);
}

}  // namespace

std::vector<CellSpelling> gate_axis_spellings() {
    return {
        {"lstm_of_viewed_gates", "LSTMSequence", 2, lstm_of_viewed_gates},
        {"lstm_of_gates_beside_each_other", "LSTMSequence", 2, lstm_of_gates_beside_each_other},
        {"lstm_of_every_fourth_unit", "LSTMSequence", 2, lstm_of_every_fourth_unit},
        {"lstm_of_turned_gates", "LSTMSequence", 2, lstm_of_turned_gates},
        {"lstm_of_gates_in_rows", "LSTMSequence", 2, lstm_of_gates_in_rows},
        {"lstm_of_a_batch_of_gates", "LSTMSequence", 2, lstm_of_a_batch_of_gates},
    };
}

}  // namespace rondo::test
