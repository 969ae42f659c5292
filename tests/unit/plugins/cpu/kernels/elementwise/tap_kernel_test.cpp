#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::tap_kernel_test {
namespace {

constexpr TapFunction kFunctions[] = {TapFunction::weighted_sum, TapFunction::product_sum,
                                      TapFunction::sum, TapFunction::maximum};
constexpr double kGuard = 12345;

// Lines of random numbers, which start anywhere.
template <typename T>
struct Case {
    Case(test::Rng& rng, std::int64_t of_taps, std::int64_t of_count)
        : taps(of_taps), count(of_count), factors(numbers(rng, (taps + 1) * (count + 1))) {
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            lines.push_back(numbers(rng, count + tap % 3));
        }
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            pointers.push_back(lines[static_cast<std::size_t>(tap)].data() + tap % 3);
        }
    }

    static std::vector<T> numbers(test::Rng& rng, std::int64_t size) {
        std::vector<T> result(static_cast<std::size_t>(size));
        for (T& number : result) number = static_cast<T>(test::uniform(rng, -1, 1));
        return result;
    }

    std::vector<T> run(const TapKernel& kernel) const {
        std::vector<T> out(static_cast<std::size_t>(count) + 1, static_cast<T>(kGuard));
        TapRun run;
        run.lines = pointers.data();
        run.factors = factors.data();
        run.factor_stride = (count + 1) * std::int64_t{sizeof(T)};
        run.taps = taps;
        run.out = out.data();
        run.count = count;
        kernel.run(run);
        EXPECT_EQ(out.back(), static_cast<T>(kGuard));
        return out;
    }

    // In double; each step of a sum is rounded by the kernel.
    double truth(TapFunction function, std::int64_t i) const {
        double result = function == TapFunction::maximum ? -INFINITY : 0;
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const double x = static_cast<const T*>(pointers[static_cast<std::size_t>(tap)])[i];
            const auto factor = [&](std::int64_t at) -> double {
                return factors[static_cast<std::size_t>(at)];
            };
            switch (function) {
                case TapFunction::weighted_sum: result += factor(tap) * x; break;
                case TapFunction::product_sum: result += factor(tap * (count + 1) + i) * x; break;
                case TapFunction::sum: result += x; break;
                case TapFunction::maximum: result = std::max(result, x); break;
            }
        }
        return result;
    }

    std::int64_t taps, count;
    std::vector<T> factors;
    std::vector<std::vector<T>> lines;
    std::vector<const void*> pointers;
};

template <typename T>
void check(const TapKernelEntry& entry) {
    const Precision precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    for (const TapFunction function : kFunctions) {
        auto rng = test::test_rng();
        const auto kernel = entry.make({function, precision});
        const auto plain = make_plain_taps({function, precision});
        for (const std::int64_t taps : {0, 1, 2, 9}) {
            for (std::int64_t count = 0; count < 300; count += count < 70 ? 1 : 37) {
                const Case<T> one(rng, taps, count);
                const auto out = one.run(*kernel);
                ASSERT_EQ(out, one.run(*plain)) << entry.name << ", " << count << " positions";
                for (std::int64_t i = 0; i < count; ++i) {
                    const double truth = one.truth(function, i);
                    const double actual = out[static_cast<std::size_t>(i)];
                    if (std::isinf(truth)) {
                        ASSERT_EQ(actual, truth);
                    } else {
                        ASSERT_NEAR(actual, truth, sizeof(T) == 8 ? 1e-14 : 1e-5);
                    }
                }
            }
        }
    }
}

TEST(TapKernel, EveryVariantGivesTheSameBits) {
    for (const TapKernelEntry& entry : tap_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        check<float>(entry);
        check<double>(entry);
    }
}

template <typename T>
void check_nan(const TapKernelEntry& entry) {
    const Precision precision = sizeof(T) == 8 ? Precision::f64 : Precision::f32;
    const auto kernel = entry.make({TapFunction::maximum, precision});
    const T nan = std::numeric_limits<T>::quiet_NaN();
    for (const std::size_t count : {1u, 40u}) {
        const std::vector<T> one(count, T{1}), two(count, nan), three(count, T{3});
        const void* const orders[][3] = {{one.data(), two.data(), three.data()},
                                         {two.data(), one.data(), three.data()},
                                         {one.data(), three.data(), two.data()}};
        for (const auto& lines : orders) {
            std::vector<T> out(count);
            TapRun run;
            run.lines = lines;
            run.taps = 3;
            run.out = out.data();
            run.count = static_cast<std::int64_t>(count);
            kernel->run(run);
            for (const T x : out) EXPECT_TRUE(std::isnan(x)) << entry.name;
        }
    }
}

// Windows of a plane, as rows of one run and row by row.
TEST(TapKernel, RowsOfARun) {
    constexpr std::int64_t kRows = 7, kLine = 90, kOut = 83;
    auto rng = test::test_rng();
    const auto data = Case<float>::numbers(rng, (kRows + 2) * kLine);
    const auto factors = Case<float>::numbers(rng, 3 * (kRows * kLine + 1));
    for (const TapKernelEntry& entry : tap_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        for (const TapFunction function : kFunctions) {
            const auto kernel = entry.make({function, Precision::f32});
            for (const std::int64_t count : {1, 8, 21, 83}) {
                std::vector<float> out(kRows * kOut, kGuard), expected = out;
                const void* lines[] = {data.data() + 3, data.data() + kLine,
                                       data.data() + 2 * kLine + 1};
                TapRun run{lines, factors.data(), (kRows * kLine + 1) * 4, 3, out.data(), count};
                run.rows = kRows;
                run.line_step = kLine * 4;
                run.out_step = kOut * 4;
                kernel->run(run);
                for (std::int64_t row = 0; row < kRows; ++row) {
                    const void* moved[3];
                    for (int i = 0; i < 3; ++i) {
                        moved[i] = static_cast<const float*>(lines[i]) + row * kLine;
                    }
                    const bool has_lines = function == TapFunction::product_sum;
                    kernel->run({moved, factors.data() + (has_lines ? row * kLine : 0),
                                 run.factor_stride, 3, expected.data() + row * kOut, count});
                }
                ASSERT_EQ(out, expected) << entry.name << ", " << count << " positions";
            }
        }
    }
}

TEST(TapKernel, MaximumKeepsNan) {
    for (const TapKernelEntry& entry : tap_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        check_nan<float>(entry);
        check_nan<double>(entry);
    }
}

}  // namespace
}  // namespace rondo::cpu::tap_kernel_test
