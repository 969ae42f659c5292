#include "plugins/cpu/kernels/gemm.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/kernels/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"
#include "tests/unit/plugins/cpu/kernels/thread_teams.hpp"

namespace rondo::cpu::test {
namespace {

struct Problem {
    std::int64_t m, k, n;
    std::vector<float> a, b, bias;

    Problem(std::int64_t rows, std::int64_t depth, std::int64_t columns, Random& random)
        : m(rows),
          k(depth),
          n(columns),
          a(random.floats(m * k)),
          b(random.floats(k * n)),
          bias(random.floats(n)) {}

    std::string text() const {
        return "M " + std::to_string(m) + " K " + std::to_string(k) + " N " + std::to_string(n);
    }

    std::vector<double> expected() const {
        std::vector<double> c;
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = bias[static_cast<std::size_t>(j)];
                for (std::int64_t p = 0; p < k; ++p) {
                    sum += double{a[static_cast<std::size_t>(i * k + p)]} *
                           b[static_cast<std::size_t>(p * n + j)];
                }
                c.push_back(sum);
            }
        }
        return c;
    }

    GemmArgs args(float* c) const {
        GemmArgs args;
        args.m = m;
        args.a = a.data();
        args.a_stride = k;
        args.c = c;
        args.c_stride = n;
        return args;
    }
};

std::vector<float> multiply(const GemmKernel& kernel, const Problem& problem) {
    const PackedMatrix packed =
        kernel.pack(row_major(problem.b.data(), problem.k, problem.n), problem.bias.data());
    GuardedBuffer c(problem.m * problem.n);
    kernel.run(packed.view, problem.args(c.data()));
    c.check(problem.text());
    return c.values();
}

class EveryGemm : public testing::TestWithParam<const GemmKernelEntry*> {
protected:
    std::unique_ptr<GemmKernel> kernel = GetParam()->make();
    std::unique_ptr<GemmKernel> plain = make_gemm_kernel(Isa::plain);
    Random random;
};

TEST_P(EveryGemm, AllSizesMatchTheReferenceAndThePlainBits) {
    const std::int64_t v = kernel->lanes();
    for (std::int64_t m : {1, 2, 3, 5, 6, 7, 13}) {
        for (std::int64_t n : {std::int64_t{1}, v - 1, v, v + 1, 3 * v + 5, 9 * v, 15 * v + 1}) {
            for (std::int64_t k : {0, 1, 3, 4, 5, 37}) {
                const Problem problem(m, k, n, random);
                const std::vector<float> got = multiply(*kernel, problem);
                expect_near(got, problem.expected(), 1e-5, problem.text());
                expect_same_bits(got, multiply(*plain, problem), problem.text());
            }
        }
    }
}

TEST_P(EveryGemm, TransposedMatrixAndNoBias) {
    const Problem problem(4, 9, 21, random);
    std::vector<float> turned(problem.b.size());
    for (std::int64_t p = 0; p < problem.k; ++p) {
        for (std::int64_t j = 0; j < problem.n; ++j) {
            turned[static_cast<std::size_t>(j * problem.k + p)] =
                problem.b[static_cast<std::size_t>(p * problem.n + j)];
        }
    }
    std::vector<float> c(84), expected(84);
    kernel->run(kernel->pack(transposed(turned.data(), 9, 21)).view, problem.args(c.data()));
    kernel->run(kernel->pack(row_major(problem.b.data(), 9, 21)).view,
                problem.args(expected.data()));
    expect_same_bits(c, expected, "transposed");
}

TEST_P(EveryGemm, RowsByPointer) {
    const Problem problem(7, 6, 19, random);
    const std::vector<float> expected = multiply(*kernel, problem);
    std::vector<const float*> a_rows;
    std::vector<float*> c_rows;
    GuardedBuffer c(7 * 19);
    for (int i = 0; i < 7; ++i) {
        a_rows.push_back(problem.a.data() + (6 - i) * 6);
        c_rows.push_back(c.data() + (6 - i) * 19);
    }
    GemmArgs args;
    args.m = 7;
    args.a_rows = a_rows.data();
    args.c_rows = c_rows.data();
    const auto packed = kernel->pack(row_major(problem.b.data(), 6, 19), problem.bias.data());
    kernel->run(packed.view, args);
    c.check("rows by pointer");
    expect_same_bits(c.values(), expected, "rows by pointer");
}

TEST_P(EveryGemm, ContinuingTheChainGivesTheSameBits) {
    const Problem problem(5, 40, 37, random);
    const std::vector<float> expected = multiply(*kernel, problem);
    GuardedBuffer c(5 * 37);
    const auto first = kernel->pack(row_major(problem.b.data(), 17, 37), problem.bias.data());
    const auto second = kernel->pack(row_major(problem.b.data() + 17 * 37, 23, 37));
    GemmArgs args = problem.args(c.data());
    kernel->run(first.view, args);
    args.a += 17;
    args.accumulate = true;
    kernel->run(second.view, args);
    c.check("two parts");
    expect_same_bits(c.values(), expected, "two parts of K");
}

TEST_P(EveryGemm, TeamsAgreeWithOneThread) {
    if (GetParam()->isa == Isa::plain) GTEST_SKIP() << "slow";
    ThreadTeam team(3);
    for (auto [m, n] : {std::pair{2, 1999}, std::pair{150, 70}}) {
        const Problem problem(m, 300, n, random);
        const std::vector<float> expected = multiply(*kernel, problem);
        const auto packed = kernel->pack(row_major(problem.b.data(), 300, n), problem.bias.data());
        GuardedBuffer c(m * n);
        kernel->run(packed.view, problem.args(c.data()), team);
        c.check(problem.text());
        expect_same_bits(c.values(), expected, problem.text());
    }
}

TEST_P(EveryGemm, NoRowsOrColumns) {
    const Problem problem(0, 3, 5, random);
    EXPECT_TRUE(multiply(*kernel, problem).empty());
    EXPECT_TRUE(multiply(*kernel, Problem(3, 3, 0, random)).empty());
}

std::vector<const GemmKernelEntry*> runnable_gemms() {
    std::vector<const GemmKernelEntry*> entries;
    for (const GemmKernelEntry& entry : gemm_kernels()) {
        if (entry.isa <= cpu_features().best()) entries.push_back(&entry);
    }
    return entries;
}

INSTANTIATE_TEST_SUITE_P(GemmKernels, EveryGemm, testing::ValuesIn(runnable_gemms()),
                         [](const testing::TestParamInfo<const GemmKernelEntry*>& info) {
                             return info.param->name;
                         });

}  // namespace
}  // namespace rondo::cpu::test
