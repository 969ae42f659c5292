#include "tests/unit/transformations/recurrent/cell_spellings.hpp"

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

using ops::BinaryFunction;
using ops::UnaryFunction;

Output StepWriter::weights(const std::string& name, const Shape& shape) {
    Output& known = weights_[name];
    if (!known) known = builder_.constant(random_tensor(ElementType::f32, shape, rng_, -0.5, 0.5));
    return known;
}

Output StepWriter::sum(const Output& a, const Output& b) {
    return builder_.make<ops::Binary>("", BinaryFunction::add, a, b);
}

Output StepWriter::difference(const Output& a, const Output& b) {
    return builder_.make<ops::Binary>("", BinaryFunction::subtract, a, b);
}

Output StepWriter::product(const Output& a, const Output& b) {
    return builder_.make<ops::Binary>("", BinaryFunction::multiply, a, b);
}

Output StepWriter::quotient(const Output& a, const Output& b) {
    return builder_.make<ops::Binary>("", BinaryFunction::divide, a, b);
}

Output StepWriter::unary(UnaryFunction function, const Output& x) {
    return builder_.make<ops::Unary>("", function, x);
}

Output StepWriter::matmul(const Output& x, const std::string& name, std::size_t units,
                          bool transposed) {
    const PartialShape& shape = x.shape();
    const Dimension& last = shape[shape.rank() - 1];
    // The extents of zeros that are broadcast to a shape are open.
    const std::size_t otherwise = kStepHidden + (name.ends_with("_WR") ? kStepInput : 0);
    const auto k = last.is_static() ? static_cast<std::size_t>(last.length()) : otherwise;
    const Output matrix = weights(name, transposed ? Shape{units, k} : Shape{k, units});
    auto node = std::make_shared<ops::MatMul>(x, matrix);
    node->set_transpose_b(transposed);
    node->validate();
    node->set_name(name + "_" + std::to_string(rng_()));
    return node;
}

Output StepWriter::gate(const Output& x, const Output& h, const std::string& name,
                        std::size_t units) {
    const Output products = sum(matmul(x, name + "_W", units), matmul(h, name + "_R", units, true));
    return sum(products, weights(name + "_b", {units}));
}

Output StepWriter::joined_gate(const Output& x, const Output& h, const std::string& name,
                               std::size_t units) {
    const Output both = builder_.make<ops::Concat>("", std::vector<Output>{x, h}, 1);
    return sum(matmul(both, name + "_WR", units, true), weights(name + "_b", {1, units}));
}

std::vector<Output> StepWriter::split(const Output& x, std::size_t parts) {
    const auto node = builder_.make<ops::Split>(
        "", x, builder_.constant(scalar_of<std::int64_t>(1)), static_cast<std::int64_t>(parts));
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < parts; ++i) outputs.push_back(node->output(i));
    return outputs;
}

Output StepWriter::slice(const Output& x, std::int64_t begin, std::int64_t end) {
    return builder_.make<ops::Slice>("", x, builder_.ints({0, begin}),
                                     builder_.ints({2147483647, end}), builder_.ints({1, 1}),
                                     builder_.ints({0, 1}));
}

std::vector<Output> lstm_of(StepWriter& s, const std::vector<Output>& gates, const Output& c) {
    const Output next =
        s.sum(s.product(s.sigmoid(gates[1]), c), s.product(s.sigmoid(gates[0]), s.tanh(gates[2])));
    return {s.product(s.sigmoid(gates[3]), s.tanh(next)), next};
}

namespace {

using Values = std::vector<Output>;

// PyTorch's LSTMCell: one product each of x and h, gates i, f, g, o.
Values split_lstm(StepWriter& s, const Output& x, const Values& now) {
    return lstm_of(s, s.split(s.gate(x, now[0], "gates", 4 * kStepHidden), 4), now[1]);
}

// One product of both side by side, gates i, g, f, o, and a constant more in f.
Values joined_lstm(StepWriter& s, const Output& x, const Values& now) {
    const Values gates = s.split(s.joined_gate(x, now[0], "gates", 4 * kStepHidden), 4);
    return lstm_of(s, {gates[0], s.sum(gates[2], s.number(1)), gates[1], gates[3]}, now[1]);
}

Values separate_lstm(StepWriter& s, const Output& x, const Values& now) {
    Values gates;
    for (const char* name : {"i", "f", "g", "o"}) gates.push_back(s.gate(x, now[0], name));
    return lstm_of(s, gates, now[1]);
}

Values peephole_lstm(StepWriter& s, const Output& x, const Values& now) {
    const auto seen = [&](const char* name, const Output& c) {
        return s.product(s.weights(std::string("p") + name, {kStepHidden}), c);
    };
    const Output i = s.sigmoid(s.sum(s.gate(x, now[0], "i"), seen("i", now[1])));
    const Output f = s.sigmoid(s.sum(s.gate(x, now[0], "f"), seen("f", now[1])));
    const Output c = s.sum(s.product(f, now[1]), s.product(i, s.tanh(s.gate(x, now[0], "g"))));
    const Output o = s.sigmoid(s.sum(s.gate(x, now[0], "o"), seen("o", c)));
    return {s.product(o, s.tanh(c)), c};
}

// i is 1 - f.
Values coupled_lstm(StepWriter& s, const Output& x, const Values& now) {
    const Output f = s.sigmoid(s.gate(x, now[0], "f"));
    const Output i = s.difference(s.number(1), f);
    const Output c = s.sum(s.product(f, now[1]), s.product(i, s.tanh(s.gate(x, now[0], "g"))));
    return {s.product(s.sigmoid(s.gate(x, now[0], "o")), s.tanh(c)), c};
}

// The output gate sees C', and H' = o C'.
Values coupled_peephole_lstm(StepWriter& s, const Output& x, const Values& now) {
    const Output c = coupled_lstm(s, x, now)[1];
    const Output seen = s.product(s.weights("po", {kStepHidden}), c);
    return {s.product(s.sigmoid(s.sum(s.gate(x, now[0], "o"), seen)), c), c};
}

Output hard(StepWriter& s, const Output& x) {
    const Output y = s.sum(s.product(x, s.number(0.2F)), s.number(0.5F));
    const Output low = s.builder().make<ops::Binary>("", BinaryFunction::maximum, y, s.number(0));
    return s.builder().make<ops::Binary>("", BinaryFunction::minimum, low, s.number(1));
}

// Keras's form: min(max(x + 3, 0), 6) / 6.
Output hard_of_six(StepWriter& s, const Output& x) {
    const Output low = s.unary(UnaryFunction::relu, s.sum(x, s.number(3)));
    const Output bounded =
        s.builder().make<ops::Binary>("", BinaryFunction::minimum, low, s.number(6));
    return s.product(bounded, s.number(1.0F / 6));
}

Values hard_gru(StepWriter& s, const Output& x, const Values& now) {
    const Output z = hard_of_six(s, s.gate(x, now[0], "z"));
    const Output r = hard_of_six(s, s.gate(x, now[0], "r"));
    const Output n = s.tanh(s.joined_gate(x, s.product(r, now[0]), "n"));
    return {s.sum(s.product(z, now[0]), s.product(s.difference(s.number(1), z), n))};
}

Values hard_lstm(StepWriter& s, const Output& x, const Values& now) {
    const Output f = hard(s, s.gate(x, now[0], "f"));
    const Output c = s.sum(s.product(f, now[1]), s.product(hard(s, s.gate(x, now[0], "i")),
                                                           s.tanh(s.gate(x, now[0], "g"))));
    return {s.product(hard(s, s.gate(x, now[0], "o")), s.tanh(c)), c};
}

// PyTorch's GRUCell: (h - n) z + n.
Values torch_gru(StepWriter& s, const Output& x, const Values& now) {
    constexpr std::size_t kUnits = 3 * kStepHidden;
    const Values of_x = s.split(s.sum(s.matmul(x, "W", kUnits), s.weights("b", {kUnits})), 3);
    const Values of_h =
        s.split(s.sum(s.matmul(now[0], "R", kUnits, true), s.weights("rb", {kUnits})), 3);
    const Output r = s.sigmoid(s.sum(of_h[0], of_x[0])), z = s.sigmoid(s.sum(of_h[1], of_x[1]));
    const Output n = s.tanh(s.sum(of_x[2], s.product(of_h[2], r)));
    return {s.sum(s.product(s.difference(now[0], n), z), n)};
}

// Keras's GRU: z h + (1 - z) n, parts by Split and by Slice.
Values keras_gru(StepWriter& s, const Output& x, const Values& now) {
    constexpr std::size_t kUnits = 3 * kStepHidden;
    constexpr auto kH = static_cast<std::int64_t>(kStepHidden);
    const Values of_x = s.split(s.sum(s.matmul(x, "W", kUnits), s.weights("b", {kUnits})), 3);
    const Output of_h = s.sum(s.matmul(now[0], "R", kUnits), s.weights("rb", {kUnits}));
    const Output z = s.sigmoid(s.sum(of_x[0], s.slice(of_h, 0, kH)));
    const Output r = s.sigmoid(s.sum(of_x[1], s.slice(of_h, kH, 2 * kH)));
    const Output n = s.tanh(s.sum(of_x[2], s.product(r, s.slice(of_h, 2 * kH, 2147483647))));
    return {s.sum(s.product(z, now[0]), s.product(s.difference(s.number(1), z), n))};
}

// The first papers' GRU, h + z (n - h), with one sigmoid for both gates.
Values classic_gru(StepWriter& s, const Output& x, const Values& now) {
    const Values gates = s.split(s.sigmoid(s.joined_gate(x, now[0], "gates", 2 * kStepHidden)), 2);
    const Output n = s.tanh(s.joined_gate(x, s.product(gates[0], now[0]), "n"));
    return {s.sum(now[0], s.product(gates[1], s.difference(n, now[0])))};
}

// One gate does for both.
Values minimal_gru(StepWriter& s, const Output& x, const Values& now) {
    const Output f = s.sigmoid(s.joined_gate(x, now[0], "f"));
    const Output n = s.tanh(s.joined_gate(x, s.product(f, now[0]), "n"));
    return {s.sum(s.product(s.difference(s.number(1), f), now[0]), s.product(f, n))};
}

// i: 1 / (1 + e^-x), f: e^x / (e^x + 1), g: (e^x - e^-x) / (e^-x + e^x).
Values lstm_by_exponentials(StepWriter& s, const Output& x, const Values& now) {
    const Values gates = s.split(s.gate(x, now[0], "gates", 4 * kStepHidden), 4);
    const Output one = s.number(1);
    const Output i = s.quotient(one, s.sum(one, s.exp(s.negative(gates[0]))));
    const Output f = s.quotient(s.exp(gates[1]), s.sum(s.exp(gates[1]), one));
    const Output up = s.exp(gates[2]), down = s.exp(s.negative(gates[2]));
    const Output g = s.quotient(s.difference(up, down), s.sum(down, up));
    const Output c = s.sum(s.product(f, now[1]), s.product(i, g));
    return {s.product(s.sigmoid(gates[3]), s.tanh(c)), c};
}

// Each function by the other one.
Values gru_by_the_other_function(StepWriter& s, const Output& x, const Values& now) {
    const Output two = s.number(2), one = s.number(1);
    const auto sigmoid = [&](const Output& gate) {
        return s.quotient(s.sum(s.tanh(s.product(gate, s.number(0.5F))), one), two);
    };
    const Output z = sigmoid(s.gate(x, now[0], "z")), r = sigmoid(s.gate(x, now[0], "r"));
    const Output argument = s.joined_gate(x, s.product(r, now[0]), "n");
    const Output n = s.difference(s.product(two, s.sigmoid(s.product(argument, two))), one);
    return {s.sum(s.product(z, now[0]), s.product(s.difference(one, z), n))};
}

// f is 1 - i.
Values lstm_that_forgets_the_rest(StepWriter& s, const Output& x, const Values& now) {
    const Output i = s.sigmoid(s.gate(x, now[0], "i"));
    const Output f = s.difference(s.number(1), i);
    const Output c = s.sum(s.product(f, now[1]), s.product(i, s.tanh(s.gate(x, now[0], "g"))));
    return {s.product(s.sigmoid(s.gate(x, now[0], "o")), s.tanh(c)), c};
}

Output chosen(StepWriter& s, const Output& x, float bound, const Output& yes, const Output& no) {
    const Output below =
        s.builder().make<ops::Compare>("", ops::CompareFunction::less, x, s.number(bound));
    return s.builder().make<ops::Select>("", below, yes, no);
}

// PyTorch's lerp: of two formulas the one that rounds less.
Values lerp_gru(StepWriter& s, const Output& x, const Values& now) {
    const Output z = s.sigmoid(s.gate(x, now[0], "z")), r = s.sigmoid(s.gate(x, now[0], "r"));
    const Output n = s.tanh(s.joined_gate(x, s.product(r, now[0]), "n"));
    const Output way = s.difference(now[0], n);
    const Output near = s.sum(n, s.product(z, way));
    const Output far = s.difference(now[0], s.product(way, s.difference(s.number(1), z)));
    return {chosen(s, z, 0.5F, near, far)};
}

Values lstm_without_output_function(StepWriter& s, const Output& x, const Values& now) {
    const Values next = split_lstm(s, x, now);
    return {s.product(s.sigmoid(s.gate(x, now[0], "more")), next[1]), next[1]};
}

Values leaky_rnn(StepWriter& s, const Output& x, const Values& now) {
    const Output y = s.joined_gate(x, now[0], "h");
    return {chosen(s, y, 0, s.product(y, s.number(0.1F)), y)};
}

Values plain_rnn(StepWriter& s, const Output& x, const Values& now) {
    return {s.tanh(s.gate(x, now[0], "h"))};
}

Values softsign_rnn(StepWriter& s, const Output& x, const Values& now) {
    const Output y = s.gate(x, now[0], "h");
    return {s.quotient(y, s.sum(s.number(1), s.unary(UnaryFunction::abs, y)))};
}

Values relu_rnn(StepWriter& s, const Output& x, const Values& now) {
    return {s.unary(UnaryFunction::relu, s.joined_gate(x, now[0], "h"))};
}

// Near-misses.

Values gru_of_two_functions(StepWriter& s, const Output& x, const Values& now) {
    const Output z = s.sigmoid(s.gate(x, now[0], "z")), r = s.tanh(s.gate(x, now[0], "r"));
    const Output n = s.tanh(s.joined_gate(x, s.product(r, now[0]), "n"));
    return {s.sum(s.product(z, now[0]), s.product(s.difference(s.number(1), z), n))};
}

// Two formulas that differ.
Values gru_of_two_choices(StepWriter& s, const Output& x, const Values& now) {
    const Output z = s.sigmoid(s.gate(x, now[0], "z")), r = s.sigmoid(s.gate(x, now[0], "r"));
    const Output n = s.tanh(s.joined_gate(x, s.product(r, now[0]), "n"));
    const Output way = s.difference(now[0], n);
    return {chosen(s, z, 0.5F, s.sum(n, s.product(z, way)), s.sum(n, s.product(r, way)))};
}

// Neither 2 sigmoid(x) - 1 nor 1 / (1 + e^x) of one x.
Values rnn_beside_a_function(StepWriter& s, const Output& x, const Values& now) {
    const Output y = s.exp(s.gate(x, now[0], "h"));
    return {s.quotient(s.number(2), s.sum(s.number(1), y))};
}

Values rnn_with_a_rest(StepWriter& s, const Output& x, const Values& now) {
    return {s.sum(now[0], s.tanh(s.gate(x, now[0], "h")))};
}

Values lstm_that_forgets_twice(StepWriter& s, const Output& x, const Values& now) {
    const Values next = split_lstm(s, x, now);
    const Output c = s.product(next[1], s.number(0.5F));
    return {s.product(s.sigmoid(s.gate(x, now[0], "o")), s.tanh(c)), c};
}

Values gru_of_inputs_alone(StepWriter& s, const Output& x, const Values&) {
    return {s.tanh(s.sum(s.matmul(x, "W", kStepHidden), s.weights("b", {kStepHidden})))};
}

template <typename Op>
std::shared_ptr<Op> layer_of(std::vector<Output> inputs) {
    auto node = std::make_shared<Op>(std::move(inputs));
    ops::RecurrentAttributes attributes = node->attributes();
    attributes.hidden_size = 4;
    node->set_attributes(attributes);
    node->validate();
    node->set_name("layer");
    return node;
}

std::vector<Output> lstm_cell(StepWriter& s, const Output& x, const std::vector<Output>& now) {
    const auto cell = layer_of<ops::LSTMCell>({x, now[0], now[1], s.weights("W", {16, 3}),
                                               s.weights("R", {16, 4}), s.weights("B", {16})});
    return {cell->output(0), cell->output(1)};
}

// As scripted loops have it: a sequence of one step in each step.
std::vector<Output> gru_of_one_step(StepWriter& s, const Output& x,
                                    const std::vector<Output>& now) {
    GraphBuilder& b = s.builder();
    const auto layer = layer_of<ops::GRUSequence>(
        {b.unsqueeze(x, {1}), b.unsqueeze(now[0], {1}),
         b.constant(tensor_of<std::int64_t>({2}, {1, 1})), s.weights("W", {1, 12, 3}),
         s.weights("R", {1, 12, 4}), s.weights("B", {1, 12})});
    return {b.squeeze(layer->output(1), {1})};
}

const std::vector<CellSpelling> kSpellings = {
    {"split_lstm", "LSTMSequence", 2, split_lstm},
    {"joined_lstm", "LSTMSequence", 2, joined_lstm},
    {"separate_lstm", "LSTMSequence", 2, separate_lstm},
    {"peephole_lstm", "LSTMSequence", 2, peephole_lstm},
    {"coupled_lstm", "LSTMSequence", 2, coupled_lstm},
    {"coupled_peephole_lstm", "LSTMSequence", 2, coupled_peephole_lstm},
    {"hard_lstm", "LSTMSequence", 2, hard_lstm},
    {"torch_gru", "GRUSequence", 1, torch_gru},
    {"keras_gru", "GRUSequence", 1, keras_gru},
    {"classic_gru", "GRUSequence", 1, classic_gru},
    {"minimal_gru", "GRUSequence", 1, minimal_gru},
    {"hard_gru", "GRUSequence", 1, hard_gru},
    {"plain_rnn", "RNNSequence", 1, plain_rnn},
    {"relu_rnn", "RNNSequence", 1, relu_rnn},
    {"softsign_rnn", "RNNSequence", 1, softsign_rnn},
    {"lstm_by_exponentials", "LSTMSequence", 2, lstm_by_exponentials},
    {"gru_by_the_other_function", "GRUSequence", 1, gru_by_the_other_function},
    {"lstm_that_forgets_the_rest", "LSTMSequence", 2, lstm_that_forgets_the_rest},
    {"lerp_gru", "GRUSequence", 1, lerp_gru},
    {"lstm_without_output_function", "LSTMSequence", 2, lstm_without_output_function},
    {"leaky_rnn", "RNNSequence", 1, leaky_rnn},
    {"gru_of_two_functions", "", 1, gru_of_two_functions},
    {"gru_of_two_choices", "", 1, gru_of_two_choices},
    {"rnn_beside_a_function", "", 1, rnn_beside_a_function},
    {"rnn_with_a_rest", "", 1, rnn_with_a_rest},
    {"lstm_that_forgets_twice", "", 2, lstm_that_forgets_twice},
    {"gru_of_inputs_alone", "", 1, gru_of_inputs_alone},
};

}  // namespace

const std::vector<CellSpelling>& cell_spellings() {
    static const std::vector<CellSpelling> spellings = [] {
        std::vector<CellSpelling> all = gate_axis_spellings();
        all.insert(all.end(), kSpellings.begin(), kSpellings.end());
        return all;
    }();
    return spellings;
}

const CellSpelling& spelling(const std::string& name) {
    for (const CellSpelling& one : cell_spellings()) {
        if (one.name == name) return one;
    }
    throw ModelError("there is no spelling " + name);
}

const std::vector<CellSpelling>& layer_spellings() {
    static const std::vector<CellSpelling> all{
        {"lstm_cell", "LSTMSequence", 2, lstm_cell},
        {"gru_of_one_step", "GRUSequence", 1, gru_of_one_step},
    };
    return all;
}

}  // namespace rondo::test
