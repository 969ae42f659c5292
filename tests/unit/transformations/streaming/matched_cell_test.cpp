// Tests a part of transformations/streaming/state_uses.hpp.
#include "transformations/streaming/state_uses.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/bodies.hpp"

namespace rondo::passes::matched_cell_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::size_t kUnits = 3;

// Formulas over rows of 3 units: x [?,4], state [parts,?,3].
struct Formulas {
    explicit Formulas(std::string_view state_shape) : state(b.input("state", state_shape)) {}

    GraphBuilder b;
    Output x = b.input("x", "[?,4]");
    Output state;
    Rng rng{5};

    Output part(std::int64_t index) {
        return b.make<ops::Gather>("", state, i64(b, index), i64(b, 0));
    }
    Output times(const Output& value, std::size_t from, std::size_t gates) {
        const Tensor weights = random_tensor(ElementType::f32, {from, gates * kUnits}, rng, -1, 1);
        return b.make<ops::MatMul>("", value, b.constant(weights));
    }
    Output multiply(const Output& left, const Output& right) {
        return b.make<ops::Binary>("", ops::BinaryFunction::multiply, left, right);
    }
    Output sigmoid(const Output& value) {
        return b.make<ops::Unary>("", ops::UnaryFunction::sigmoid, value);
    }
    Output tanh(const Output& value) {
        return b.make<ops::Unary>("", ops::UnaryFunction::tanh, value);
    }
    std::vector<Output> split(const Output& value, std::size_t count) {
        const auto node =
            b.make<ops::Split>("", value, i64(b, -1), static_cast<std::int64_t>(count));
        std::vector<Output> parts;
        for (std::size_t i = 0; i < count; ++i) parts.push_back(node->output(i));
        return parts;
    }
    // h' and c' of an LSTM.
    std::pair<Output, Output> lstm(const Output& h, const Output& c) {
        const auto gates = split(add(b, times(x, 4, 4), times(h, kUnits, 4)), 4);
        const Output kept = multiply(sigmoid(gates[1]), c);
        const Output next = add(b, kept, multiply(sigmoid(gates[0]), tanh(gates[2])));
        return {multiply(sigmoid(gates[3]), tanh(next)), next};
    }
    bool finds(const std::vector<Output>& next) {
        std::vector<Output> rows;
        for (const Output& value : next) rows.push_back(b.unsqueeze(value, {0}));
        b.output("y", b.make<ops::Concat>("", rows, 0));
        const auto graph = b.graph();
        return MatchedCell(*graph, state).ends_in(graph->results().back()->input(0));
    }
};

TEST(MatchedCell, FindsAnLstmWhoseStatesAreOneTensor) {
    for (const bool swapped : {false, true}) {
        Formulas f("[2,?,3]");
        const auto [h, c] = swapped ? f.lstm(f.part(1), f.part(0)) : f.lstm(f.part(0), f.part(1));
        EXPECT_TRUE(f.finds(swapped ? std::vector<Output>{c, h} : std::vector<Output>{h, c}));
    }
}

// Sums and joins of one value with itself, again and again, are looked at once.
TEST(MatchedCell, LooksAtEachNodeOnce) {
    Formulas f("[1,?,3]");
    Output sum = f.x;
    Output joined = f.multiply(f.part(0), f.part(0));
    for (int i = 0; i < 60; ++i) {
        sum = add(f.b, sum, sum);
        joined = f.b.make<ops::Concat>("", std::vector<Output>{joined, joined}, 0);
    }
    EXPECT_FALSE(f.finds({joined}));
    EXPECT_FALSE(f.finds({f.multiply(f.part(0), f.tanh(f.times(sum, 4, 1)))}));
}

TEST(MatchedCell, FindsNothingElse) {
    Formulas one_left("[2,?,3]");
    EXPECT_FALSE(one_left.finds({one_left.lstm(one_left.part(0), one_left.part(1)).first}));

    Formulas other("[2,?,3]");  // no cell has these gates
    const auto [h, c] = other.lstm(other.part(0), other.part(1));
    EXPECT_FALSE(other.finds({other.tanh(h), c}));

    // A layer of two inputs looks like an RNN cell, and is none.
    Formulas dense("[1,?,3]");
    const Output sum = add(dense.b, dense.times(dense.x, 4, 1), dense.times(dense.part(0), 3, 1));
    EXPECT_FALSE(dense.finds({dense.tanh(sum)}));

    // A highway layer is a GRU cell without an X.
    Formulas highway("[1,?,3]");
    const Output s = highway.part(0);
    const Output gate = highway.sigmoid(highway.times(s, 3, 1));
    const Output one = highway.b.constant(scalar_of<float>(1));
    const Output rest = highway.b.make<ops::Binary>("", ops::BinaryFunction::subtract, one, gate);
    EXPECT_FALSE(
        highway.finds({add(highway.b, highway.multiply(gate, s),
                           highway.multiply(rest, highway.tanh(highway.times(s, 3, 1))))}));
}

}  // namespace
}  // namespace rondo::passes::matched_cell_test
