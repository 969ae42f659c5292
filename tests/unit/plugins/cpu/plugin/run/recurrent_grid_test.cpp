// CPU against REFERENCE over the grid of cells, directions, sizes and instruction sets.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::recurrent_grid_test {
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
    constexpr auto kF32 = ElementType::f32, kF16 = ElementType::f16, kBf16 = ElementType::bf16;
    test.type = pick(rng, {kF32, kF32, kF32, ElementType::f64, kF16, kBf16});
    test.constant_weights = uniform_int(rng, 0, 3) != 0;
    if (test.type == kF32) test.stored = pick(rng, {ElementType::dynamic, kF16, kBf16});
    return test;
}

std::string describe(const RecurrentCase& test) {
    return "H " + std::to_string(test.attributes.hidden_size) + ", direction " +
           std::to_string(static_cast<int>(test.attributes.direction)) + ", N " +
           std::to_string(test.batch) + ", T " + std::to_string(test.time) + ", I " +
           std::to_string(test.input_size) + (test.with_lengths ? ", lengths" : "") + ", " +
           std::string(to_string(test.type)) + ", weights " + std::string(to_string(test.stored)) +
           (test.constant_weights ? "" : " at run time");
}

// f64 keeps its digits; 16-bit results may be one unit in the last place off.
double absolute_tolerance(const RecurrentCase& test) {
    const double one_step = test.type == ElementType::f64 ? 1e-14 : 2e-6;
    return one_step * std::sqrt(static_cast<double>(test.time));
}

double relative_tolerance(const RecurrentCase& test) {
    if (test.type == ElementType::f16) return 0x1p-10;
    return test.type == ElementType::bf16 ? 0x1p-7 : 0.0;
}

// The same bits from every instruction set, near the reference.
void expect_agreement(const RecurrentCase& test, const RecurrentGraph& made) {
    SCOPED_TRACE(describe(test));
    const auto expected = on_reference(*made.graph).run(made.inputs);
    std::vector<Tensor> first;
    for (const auto& isa : instruction_sets()) {
        SCOPED_TRACE(isa);
        const IsaScope scope(isa);
        const auto actual = on_cpu(*made.graph).run(made.inputs);
        EXPECT_NE(kernel_of(*made.graph, "layer").find(isa), std::string::npos);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_near(actual[i], expected[i], absolute_tolerance(test), relative_tolerance(test));
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
}  // namespace rondo::test::recurrent_grid_test
