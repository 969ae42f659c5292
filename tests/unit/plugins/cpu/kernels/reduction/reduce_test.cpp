#include "plugins/cpu/kernels/reduction/reduce.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::reduce_test {
namespace {

using ops::ReduceFunction;

std::vector<float> reduced(ReduceFunction function, const ReduceSizes& sizes, Isa isa,
                           const std::vector<float>& x) {
    const Reduce reduce(function, ElementType::f32, sizes, isa);
    GuardedBuffer out(std::vector<float>(static_cast<std::size_t>(reduce.size())));
    const std::int64_t middle = reduce.size() / 3;  // as two threads share it
    reduce.run(x.data(), out.data(), 0, middle);
    reduce.run(x.data(), out.data(), middle, reduce.size());
    out.check("reduce");
    return out.values();
}

// Sums of large numbers that cancel show any other order.
std::vector<float> numbers(std::int64_t count, Random& random) {
    std::vector<float> x = random.floats(count, 1.0F);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] *= i % 2 == 0 ? 1e17F : -1e17F;
    return x;
}

TEST(Reduce, EveryInstructionSetGivesTheSameBits) {
    Random random;
    for (const std::int64_t rows : {1, 7, 16, 47, 128}) {
        for (const std::int64_t n : {1, 7, 8, 15, 16, 17, 31, 40, 63, 64, 100}) {
            const std::vector<float> x = numbers(rows * n * 3, random);
            const ReduceSizes last{{rows * 3, n}, {false, true}};
            const ReduceSizes apart{{3, rows, n}, {true, false, true}};
            for (const auto function : {ReduceFunction::sum, ReduceFunction::mean,
                                        ReduceFunction::max, ReduceFunction::l1}) {
                for (const ReduceSizes& sizes : {last, apart}) {
                    const auto plain = reduced(function, sizes, Isa::plain, x);
                    for (const Isa isa : available_isas()) {
                        expect_same_bits(reduced(function, sizes, isa, x), plain,
                                         std::to_string(rows) + " rows of " + std::to_string(n));
                    }
                }
            }
        }
    }
}

TEST(Reduce, AddsUpInDouble) {
    std::vector<float> x(32 * 10, 1.0F);
    for (std::size_t row = 0; row < 32; ++row) {
        x[row * 10] = 1e9F;
        x[row * 10 + 9] = -1e9F;
    }
    for (const Isa isa : available_isas()) {
        for (const float sum : reduced(ReduceFunction::sum, {{32, 10}, {false, true}}, isa, x)) {
            EXPECT_EQ(sum, 8.0F);
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::reduce_test
