#include "plugins/cpu/kernels/product/gemm.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests::gemm_test {
namespace {

struct Problem {
    ElementType weights, scalars;
    std::int64_t m, k, n;
    std::vector<double> a, b, bias;

    Problem(ElementType type, std::int64_t rows, std::int64_t depth, std::int64_t columns,
            Random& random)
        : weights(type),
          scalars(type == ElementType::f64 ? ElementType::f64 : ElementType::f32),
          m(rows),
          k(depth),
          n(columns),
          a(random.doubles(m * k)),
          b(random.doubles(k * n)),
          bias(random.doubles(n)) {
        round_all(a, scalars);
        round_all(b, weights);
        round_all(bias, scalars);
    }

    std::string text() const {
        return "M " + std::to_string(m) + " K " + std::to_string(k) + " N " + std::to_string(n);
    }

    std::vector<double> expected() const {
        std::vector<double> c;
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = bias[static_cast<std::size_t>(j)];
                for (std::int64_t p = 0; p < k; ++p) {
                    sum += a[static_cast<std::size_t>(i * k + p)] *
                           b[static_cast<std::size_t>(p * n + j)];
                }
                c.push_back(sum);
            }
        }
        return c;
    }

    TypedBuffer a_buffer() const { return TypedBuffer(scalars, a); }
    TypedBuffer c_buffer() const { return TypedBuffer(scalars, m * n); }

    GemmArgs args(TypedBuffer& left, TypedBuffer& c) const {
        GemmArgs args;
        args.m = m;
        args.a = left.data();
        args.a_stride = k;
        args.c = c.data();
        args.c_stride = n;
        return args;
    }

    PackedMatrix packed(const GemmKernel& kernel) const {
        TypedBuffer rows(kernel.weights(), b), start(scalars, bias);
        return kernel.pack(row_major(rows.data(), k, n), start.data());
    }
};

std::vector<double> multiply(const GemmKernel& kernel, const Problem& problem) {
    const PackedMatrix packed = problem.packed(kernel);
    TypedBuffer a = problem.a_buffer(), c = problem.c_buffer();
    kernel.run(packed.view, problem.args(a, c));
    c.check(problem.text());
    return c.values();
}

class EveryGemm : public testing::TestWithParam<const GemmKernelEntry*> {
protected:
    ElementType weights() const { return GetParam()->weights.type; }
    std::unique_ptr<GemmKernel> kernel = GetParam()->make();
    Random random;
};

// Widened weights make no difference: the yardstick of 16-bit weights is the plain f32 kernel.
TEST_P(EveryGemm, AllSizesMatchTheReferenceAndThePlainBits) {
    const bool f64 = weights() == ElementType::f64;
    const auto plain = make_gemm_kernel(Isa::plain, f64 ? ElementType::f64 : ElementType::f32);
    const std::int64_t v = kernel->lanes();
    for (std::int64_t m : {1, 2, 3, 5, 6, 7, 13}) {
        for (std::int64_t n : {std::int64_t{1}, v - 1, v, v + 1, 3 * v + 5, 9 * v, 15 * v + 1}) {
            for (std::int64_t k : {0, 1, 3, 4, 5, 37}) {
                const Problem problem(weights(), m, k, n, random);
                const std::vector<double> got = multiply(*kernel, problem);
                expect_near(got, problem.expected(), f64 ? 1e-14 : 1e-5, problem.text());
                expect_same_bits(got, multiply(*plain, problem), problem.text());
            }
        }
    }
}

TEST_P(EveryGemm, TransposedMatrixAndNoBias) {
    Problem problem(weights(), 4, 9, 21, random);
    problem.bias.assign(21, 0.0);
    std::vector<double> turned(problem.b.size());
    for (std::int64_t p = 0; p < problem.k; ++p) {
        for (std::int64_t j = 0; j < problem.n; ++j) {
            turned[static_cast<std::size_t>(j * problem.k + p)] =
                problem.b[static_cast<std::size_t>(p * problem.n + j)];
        }
    }
    TypedBuffer b(weights(), turned), a = problem.a_buffer(), c = problem.c_buffer();
    kernel->run(kernel->pack(transposed(b.data(), 9, 21)).view, problem.args(a, c));
    expect_same_bits(c.values(), multiply(*kernel, problem), "transposed");
}

TEST_P(EveryGemm, RowsByPointer) {
    const Problem problem(weights(), 7, 6, 19, random);
    const std::vector<double> expected = multiply(*kernel, problem);
    TypedBuffer a = problem.a_buffer(), c = problem.c_buffer();
    std::vector<const void*> a_rows;
    const std::int64_t bytes = kernel->scalar_bytes();
    for (int i = 0; i < 7; ++i) {
        a_rows.push_back(static_cast<char*>(a.data()) + (6 - i) * 6 * bytes);
    }
    GemmArgs args = problem.args(a, c);
    args.a = nullptr;
    args.a_rows = a_rows.data();
    kernel->run(problem.packed(*kernel).view, args);
    c.check("rows by pointer");
    const std::vector<double> got = c.values();
    using Row = std::vector<double>;
    for (std::ptrdiff_t i = 0; i < 7; ++i) {
        expect_same_bits(Row(got.begin() + i * 19, got.begin() + (i + 1) * 19),
                         Row(expected.begin() + (6 - i) * 19, expected.begin() + (7 - i) * 19),
                         "rows by pointer");
    }
}

TEST_P(EveryGemm, TeamsAgreeWithOneThread) {
    if (GetParam()->isa == Isa::plain) GTEST_SKIP() << "slow";
    ThreadTeam team(3);
    for (auto [m, n] : {std::pair{2, 1999}, std::pair{150, 70}}) {
        const Problem problem(weights(), m, 300, n, random);
        const std::vector<double> expected = multiply(*kernel, problem);
        const PackedMatrix packed = problem.packed(*kernel);
        TypedBuffer a = problem.a_buffer(), c = problem.c_buffer();
        kernel->run(packed.view, problem.args(a, c), team);
        c.check(problem.text());
        expect_same_bits(c.values(), expected, problem.text());
    }
}

// Blocks cover C once, and hold their values when they are done.
TEST_P(EveryGemm, BlocksAreDoneOnce) {
    const std::int64_t bytes = kernel->scalar_bytes();
    for (const auto& size : {std::pair{1, 5}, std::pair{3, 1999}, std::pair{333, 70},
                             std::pair{0, 3}, std::pair{2, 0}}) {
        const std::int64_t m = size.first, n = size.second;
        const Problem problem(weights(), m, 120, n, random);
        const std::vector<double> expected = multiply(*kernel, problem);
        const PackedMatrix packed = problem.packed(*kernel);
        TypedBuffer a = problem.a_buffer(), c = problem.c_buffer(), seen = problem.c_buffer();
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(m * n));
        for (const int threads : {1, 3}) {
            ThreadTeam team(threads);
            const auto copy = [&](Range rows, Range columns) {
                for (std::int64_t row = rows.begin; row < rows.end; ++row) {
                    const std::int64_t place = row * n + columns.begin;
                    std::memcpy(static_cast<char*>(seen.data()) + place * bytes,
                                static_cast<const char*>(c.data()) + place * bytes,
                                static_cast<std::size_t>(columns.size() * bytes));
                    for (std::int64_t i = 0; i < columns.size(); ++i) {
                        ++done[static_cast<std::size_t>(place + i)];
                    }
                }
            };
            kernel->run(packed.view, problem.args(a, c), team, {copy, 30});
            seen.check(problem.text());
            expect_same_bits(seen.values(), expected, problem.text());
            for (const auto& count : done) ASSERT_EQ(count.load(), threads == 1 ? 1 : 2);
        }
    }
}

TEST_P(EveryGemm, NoRowsOrColumns) {
    EXPECT_TRUE(multiply(*kernel, Problem(weights(), 0, 3, 5, random)).empty());
    EXPECT_TRUE(multiply(*kernel, Problem(weights(), 3, 3, 0, random)).empty());
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
}  // namespace rondo::cpu::tests::gemm_test
