#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::test {
namespace {

float reference(BinaryKind kind, float a, float b) {
    switch (kind) {
        case BinaryKind::add: return a + b;
        case BinaryKind::subtract: return a - b;
        case BinaryKind::multiply: return a * b;
        case BinaryKind::divide: return a / b;
        case BinaryKind::maximum: return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
        case BinaryKind::minimum: return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
    }
    return 0.0f;
}

constexpr BinaryKind kKinds[] = {BinaryKind::add,    BinaryKind::subtract, BinaryKind::multiply,
                                 BinaryKind::divide, BinaryKind::maximum,  BinaryKind::minimum};

TEST(Binary, AllFormsKindsSizesAndInstructionSets) {
    Random random;
    for (Isa isa : available_isas()) {
        for (BinaryKind kind : kKinds) {
            for (std::int64_t n : {0, 1, 7, 16, 17, 53}) {
                std::vector<float> a = random.floats(n), b = random.floats(n);
                if (n > 2) a[0] = b[1] = std::numeric_limits<float>::quiet_NaN();
                GuardedBuffer both(n), right(n), left(n);
                binary(isa, kind, a.data(), b.data(), both.data(), n);
                binary_right_scalar(isa, kind, a.data(), 0.3f, right.data(), n);
                binary_left_scalar(isa, kind, 0.3f, b.data(), left.data(), n);
                for (GuardedBuffer* out : {&both, &right, &left}) out->check("out");
                for (std::size_t i = 0; i < a.size(); ++i) {
                    EXPECT_TRUE(same_bits(both.data()[i], reference(kind, a[i], b[i])));
                    EXPECT_TRUE(same_bits(right.data()[i], reference(kind, a[i], 0.3f)));
                    EXPECT_TRUE(same_bits(left.data()[i], reference(kind, 0.3f, b[i])));
                }
            }
        }
    }
}

TEST(Binary, InPlace) {
    std::vector<float> a(20, 3.0f), b(20, 2.0f);
    binary(cpu_features().best(), BinaryKind::subtract, a.data(), b.data(), b.data(), 20);
    EXPECT_EQ(b, std::vector<float>(20, 1.0f));
}

TEST(Softmax, MatchesTheReferenceWithOneSetOfBits) {
    Random random;
    for (std::int64_t n : {1, 5, 16, 17, 100}) {
        const std::vector<float> x = random.floats(3 * n, 20.0f);
        std::vector<float> plain(x.size());
        SoftmaxKernel(Isa::plain, make_unary_kernel(Isa::plain, {UnaryKind::exp, {}})).run(x.data(), plain.data(), 3, n);
        for (std::int64_t row = 0; row < 3; ++row) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < n; ++i) {
                sum += std::exp(double{x[static_cast<std::size_t>(row * n + i)]});
            }
            for (std::int64_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(row * n + i);
                EXPECT_NEAR(plain[at], std::exp(double{x[at]}) / sum, 1e-6);
            }
        }
        for (Isa isa : available_isas()) {
            GuardedBuffer out(x);
            SoftmaxKernel(isa, make_unary_kernel(isa, {UnaryKind::exp, {}})).run(out.data(), out.data(), 3, n);
            out.check("softmax");
            expect_same_bits(out.values(), plain, name_of(isa));
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::test
