// The logarithm of softmax over rows.
#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::log_softmax_test {
namespace {

LogSoftmaxKernel kernel_of(Isa isa) {
    return {shared_elementwise_kernel(isa, SoftmaxKernel::exponential(Precision::f32)),
            shared_elementwise_kernel(isa, LogSoftmaxKernel::logarithm(Precision::f32)),
            shared_elementwise_kernel(isa, LogSoftmaxKernel::difference(Precision::f32))};
}

TEST(LogSoftmax, MatchesTheReferenceWithOneSetOfBits) {
    Random random;
    for (std::int64_t n : {1, 5, 16, 17, 100, 511, 513, 1500}) {
        const std::vector<float> x = random.floats(3 * n, 20.0f);
        std::vector<float> plain(x.size());
        kernel_of(Isa::plain).run(x.data(), plain.data(), 3, n);
        for (std::int64_t row = 0; row < 3; ++row) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < n; ++i) {
                sum += std::exp(double{x[static_cast<std::size_t>(row * n + i)]});
            }
            for (std::int64_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(row * n + i);
                EXPECT_NEAR(plain[at], double{x[at]} - std::log(sum), 1e-5);
            }
        }
        for (Isa isa : available_isas()) {
            GuardedBuffer out(x);
            kernel_of(isa).run(out.data(), out.data(), 3, n);  // in place
            out.check("log_softmax");
            expect_same_bits(out.values(), plain, name_of(isa));
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::log_softmax_test
