#include "plugins/cpu/kernels/product/few_rows.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::few_rows_test {
namespace {

struct Problem {
    ProductSizes sizes;
    std::vector<float> a, b;

    Problem(std::int64_t m, std::int64_t k, std::int64_t n, Random& random)
        : sizes{m, k, n}, a(random.floats(m * k)), b(random.floats(k * n)) {}

    std::vector<float> packed_product() const {
        const auto kernel = shared_gemm_kernel(Isa::plain, ElementType::f32);
        std::vector<float> c(static_cast<std::size_t>(sizes.m * sizes.n));
        GemmArgs args;
        args.m = sizes.m;
        args.a = a.data();
        args.a_stride = sizes.k;
        args.c = c.data();
        args.c_stride = sizes.n;
        kernel->run(kernel->pack(row_major(b.data(), sizes.k, sizes.n)).view, args);
        return c;
    }

    // Also checks that done() covers each element once.
    std::vector<float> few_rows(Isa isa, Team& team) const {
        const auto kernel = shared_tap_kernel(isa, {TapFunction::weighted_sum, Precision::f32});
        const FewRows product(*kernel, Precision::f32, sizes, team.size());
        AlignedBytes scratch(product.scratch_bytes() + 1);
        std::vector<float> c(static_cast<std::size_t>(sizes.m * sizes.n) + 1, -1.0F);
        std::vector<int> covered(c.size() - 1);
        const auto note = [&](Range done) {
            for (std::int64_t i = done.begin; i < done.end; ++i) {
                ++covered[static_cast<std::size_t>(i)];
            }
        };
        const FunctionRef<void(Range)> done(note);
        product.run({a.data(), b.data(), c.data(), scratch.data(), &done}, team);
        EXPECT_EQ(c.back(), -1.0F);
        EXPECT_EQ(covered, std::vector<int>(covered.size(), 1));
        c.pop_back();
        return c;
    }
};

TEST(FewRows, GiveTheBitsOfThePackedProduct) {
    Random random;
    for (const Isa isa : {Isa::plain, cpu_features().best()}) {
        for (const std::int64_t m : {1, 2, 4}) {
            for (const std::int64_t k : {0, 1, 37, 5000}) {
                for (const std::int64_t n : {8, 127, 128, 129, 700}) {
                    const Problem problem(m, k, n, random);
                    ThreadTeam team(3);
                    EXPECT_EQ(problem.few_rows(isa, team), problem.packed_product())
                        << "M " << m << " K " << k << " N " << n;
                }
            }
        }
    }
}

TEST(FewRows, SuitFewRowsOfSomeColumns) {
    EXPECT_TRUE(FewRows::suits({1, 512, 8}));
    EXPECT_FALSE(FewRows::suits({5, 512, 8}));
    EXPECT_FALSE(FewRows::suits({1, 512, 7}));
}

}  // namespace
}  // namespace rondo::cpu::tests::few_rows_test
