// CPU against REFERENCE over the grid of cells, directions, sizes and instruction sets.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/gru_sequence.hpp"
#include "core/ops/lstm_sequence.hpp"
#include "core/ops/rnn_sequence.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test {
namespace {

template <typename T>
T pick(Rng& rng, std::initializer_list<T> values) {
    const auto last = static_cast<std::int64_t>(values.size()) - 1;
    return values.begin()[uniform_int(rng, 0, last)];
}

RecurrentCase random_case(Rng& rng) {
    RecurrentCase test;
    test.attributes.hidden_size = pick<std::int64_t>(rng, {1, 3, 16, 17, 64, 100, 256});
    test.attributes.direction = pick(
        rng, {ops::Direction::forward, ops::Direction::reverse, ops::Direction::bidirectional});
    test.batch = pick<std::size_t>(rng, {1, 2, 5, 16});
    test.time = pick<std::size_t>(rng, {1, 2, 37});
    test.input_size = pick<std::size_t>(rng, {1, 7, 32, 80});
    test.with_lengths = uniform_int(rng, 0, 1) == 1;
    test.attributes.clip = uniform_int(rng, 0, 3) == 0 ? 0.7f : 0.0f;
    return test;
}

std::string describe(const RecurrentCase& test) {
    return "H " + std::to_string(test.attributes.hidden_size) + ", direction " +
           std::to_string(static_cast<int>(test.attributes.direction)) + ", N " +
           std::to_string(test.batch) + ", T " + std::to_string(test.time) + ", I " +
           std::to_string(test.input_size) + (test.with_lengths ? ", lengths" : "");
}

// The same bits from every instruction set, near the reference.
void expect_agreement(const RecurrentCase& test, const RecurrentGraph& made) {
    SCOPED_TRACE(describe(test));
    const double tolerance = 2e-6 * std::sqrt(static_cast<double>(test.time));
    const auto expected = on_reference(*made.graph).run(made.inputs);
    std::vector<Tensor> first;
    for (const auto& isa : instruction_sets()) {
        SCOPED_TRACE(isa);
        const IsaScope scope(isa);
        const auto actual = on_cpu(*made.graph).run(made.inputs);
        EXPECT_NE(kernel_of(*made.graph, "layer").find(isa), std::string::npos);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_near(actual[i], expected[i], tolerance);
            if (!first.empty()) expect_same(actual[i], first[i]);
        }
        first = actual;
    }
}

class RecurrentGrid : public ::testing::TestWithParam<int> {};

// 10 shards of 24 cases: 240 cases on every instruction set.
TEST_P(RecurrentGrid, CpuEqualsReference) {
    auto rng = test_rng();
    rng.discard(static_cast<unsigned long long>(GetParam()) * 1000003);
    for (int i = 0; i < 24 && !HasFailure(); ++i) {
        RecurrentCase test = random_case(rng);
        const Rng data(rng());
        switch (uniform_int(rng, 0, 3)) {
            case 0: expect_agreement(test, make_recurrent<ops::LSTMSequence>(test, data)); break;
            case 1: expect_agreement(test, make_recurrent<ops::RNNSequence>(test, data)); break;
            default:
                test.attributes.linear_before_reset = uniform_int(rng, 0, 1) == 1;
                expect_agreement(test, make_recurrent<ops::GRUSequence>(test, data));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shard, RecurrentGrid, ::testing::Range(0, 10));

}  // namespace
}  // namespace rondo::test
