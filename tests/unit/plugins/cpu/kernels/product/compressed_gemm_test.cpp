#include "plugins/cpu/kernels/product/compressed_gemm.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests::compressed_gemm_test {
namespace {

struct Problem {
    std::int64_t m, k, n, group;
    bool halves;
    std::vector<std::uint8_t> bytes;            // [N,K]
    std::vector<float> zeros, scales, bias, a;  // [N,groups], [N], [M,K]

    Problem(std::int64_t rows, std::int64_t depth, std::int64_t columns, std::int64_t in_group,
            bool to_f16, Random& random)
        : m(rows), k(depth), n(columns), group(in_group), halves(to_f16) {
        for (std::int64_t i = 0; i < n * k; ++i) {
            bytes.push_back(static_cast<std::uint8_t>(random.integer(0, 255)));
        }
        for (std::int64_t i = 0; i < n * k / group; ++i) {
            zeros.push_back(static_cast<float>(random.integer(-9, 200)));
        }
        scales = floats(random.doubles(n * k / group, 0.01));
        bias = floats(random.doubles(n));
        a = floats(random.doubles(m * k));
    }

    // B as f32, [N,K].
    std::vector<float> wide() const {
        std::vector<float> values;
        for (std::int64_t i = 0; i < n * k; ++i) {
            const auto at = static_cast<std::size_t>(i / group);
            const float value =
                (static_cast<float>(bytes[static_cast<std::size_t>(i)]) - zeros[at]) * scales[at];
            values.push_back(halves ? static_cast<float>(float16(value)) : value);
        }
        return values;
    }
};

GemmArgs args_of(const Problem& problem, TypedBuffer& a, TypedBuffer& c) {
    GemmArgs args;
    args.m = problem.m;
    args.a = a.data();
    args.a_stride = problem.k;
    args.c = c.data();
    args.c_stride = problem.n;
    return args;
}

std::vector<double> doubles(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

std::vector<double> dense(const Problem& problem, const GemmKernel& kernel) {
    const std::vector<float> b = problem.wide();
    const PackedMatrix packed =
        kernel.pack(transposed(b.data(), problem.k, problem.n), problem.bias.data());
    TypedBuffer a(ElementType::f32, doubles(problem.a));
    TypedBuffer c(ElementType::f32, problem.m * problem.n);
    kernel.run(packed.view, args_of(problem, a, c));
    return c.values();
}

// Blocks of work cover C, each once.
class Covered {
public:
    explicit Covered(const Problem& problem) : n_(problem.n), seen_(count(problem)) {}
    void add(Range rows, Range columns) {
        const std::lock_guard lock(mutex_);
        for (std::int64_t i = rows.begin; i < rows.end; ++i) {
            for (std::int64_t j = columns.begin; j < columns.end; ++j) {
                ++seen_[static_cast<std::size_t>(i * n_ + j)];
            }
        }
    }
    bool once() const {
        return std::ranges::all_of(seen_, [](int times) { return times == 1; });
    }

private:
    static std::size_t count(const Problem& problem) {
        return static_cast<std::size_t>(problem.m * problem.n);
    }
    std::mutex mutex_;
    std::int64_t n_;
    std::vector<int> seen_;
};

void expect_dense(const Problem& problem, Isa isa, Team& team) {
    const auto kernel = shared_gemm_kernel(isa);
    const CompressedGemm product(
        isa, kernel,
        {problem.n, problem.k, problem.group, problem.k, 1, problem.bytes.data(),
         problem.zeros.data(), problem.scales.data(), problem.halves},
        problem.bias.data());
    const std::string what = std::string(name_of(isa)) + " M " + std::to_string(problem.m) + " K " +
                             std::to_string(problem.k) + " N " + std::to_string(problem.n) +
                             " of " + std::to_string(problem.group);
    TypedBuffer a(ElementType::f32, doubles(problem.a));
    TypedBuffer c(ElementType::f32, problem.m * problem.n);
    AlignedBytes scratch(product.scratch_bytes(problem.m, team.size()));
    Covered covered(problem);
    const auto done = [&](Range rows, Range columns) { covered.add(rows, columns); };
    const BlockWork work{done, 0};
    product.run(args_of(problem, a, c), team, &work, scratch.data());
    c.check(what);
    EXPECT_TRUE(covered.once()) << what;
    const std::vector<double> expected = dense(problem, *kernel);
    const std::vector<double> got = c.values();
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_TRUE(same_bits(got[i], expected[i])) << what << " element " << i;
    }
}

TEST(CompressedGemm, GivesTheBitsOfDenseProducts) {
    Random random;
    SerialTeam one;
    ThreadTeam three(3);
    for (const Isa isa : available_isas()) {
        for (const auto& [k, group] : {std::pair(1, 1), {24, 8}, {100, 100}, {700, 700}}) {
            for (const std::int64_t n : {1, 15, 16, 33, 64, 130}) {
                for (const std::int64_t m : {0, 1, 2, 7, 100}) {
                    const Problem problem(m, k, n, group, n % 2 == 0, random);
                    expect_dense(problem, isa, one);
                    expect_dense(problem, isa, three);
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::compressed_gemm_test
