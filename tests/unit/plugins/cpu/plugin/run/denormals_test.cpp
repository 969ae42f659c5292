// CPU_DENORMALS_OPTIMIZATION: what becomes of denormals, on every thread, and of the caller's
// modes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu::denormals_test {
namespace {

constexpr std::uint64_t kFlushBits = FloatControl::kFlushBits;
constexpr float kDenormal = 1e-39f;

// Sets the calling thread's flush bits, and puts back what was there.
class CallersBits {
public:
    explicit CallersBits(std::uint64_t bits) : saved_(FloatControl::read()) {
        FloatControl::write((saved_ & ~kFlushBits) | bits);
    }
    ~CallersBits() { FloatControl::write(saved_); }
    CallersBits(const CallersBits&) = delete;
    CallersBits& operator=(const CallersBits&) = delete;
    static std::uint64_t now() { return FloatControl::read() & kFlushBits; }

private:
    std::uint64_t saved_;
};

std::shared_ptr<Graph> sum_and_product() {
    const auto x = test::parameter("x", {1, 2});
    const auto one = test::constant(test::tensor_of<float>({1}, {1}), "one");
    const auto unit = test::constant(test::tensor_of<float>({2, 2}, {1, 0, 0, 1}), "unit");
    return test::graph_of({x}, {make_node<ops::Binary>(ops::BinaryFunction::multiply, x, one),
                                make_node<ops::MatMul>(x, unit)});
}

// As bits, so that the test's own arithmetic has no say.
std::vector<bool> kept_denormals(const char* setting) {
    auto device =
        test::on_cpu(*sum_and_product(), {{property::kCpuDenormalsOptimization, setting}});
    std::vector<bool> kept;
    for (const Tensor& output : device.run({test::tensor_of<float>({1, 2}, {kDenormal, 1})})) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, std::as_const(output).data(), sizeof(bits));
        kept.push_back(bits != 0);
    }
    return kept;
}

TEST(Denormals, CountAsZeroOrAreKeptWhateverTheCallerHasSet) {
    for (const std::uint64_t bits : {std::uint64_t{0}, kFlushBits}) {
        const CallersBits callers(bits);
        EXPECT_EQ(kept_denormals("YES"), (std::vector<bool>{false, false}));
        EXPECT_EQ(CallersBits::now(), bits);
        EXPECT_EQ(kept_denormals("NO"), (std::vector<bool>{true, true}));
        EXPECT_EQ(CallersBits::now(), bits);
    }
}

TEST(Denormals, CountAsZeroByDefault) {
    EXPECT_EQ(test::on_cpu(*sum_and_product())
                  .executable->properties()
                  .at(property::kCpuDenormalsOptimization),
              "YES");
}

TEST(Denormals, TheCallersSettingSurvivesAnError) {
    for (const char* setting : {"YES", "NO"}) {
        auto device =
            test::on_cpu(*sum_and_product(), {{property::kCpuDenormalsOptimization, setting}});
        device.not_cancelled = true;
        for (const std::uint64_t bits : {std::uint64_t{0}, kFlushBits}) {
            const CallersBits callers(bits);
            test::expect_error<CancelledError>(
                [&] {
                    device.run({test::tensor_of<float>({1, 2}, {1, 1})});
                },
                "cancelled");
            EXPECT_EQ(CallersBits::now(), bits);
        }
    }
}

// The caller's bits are left as they are; those of TBB's threads are set.
TEST(Denormals, EveryWorkerOfATeamDoesTheSame) {
    for (const bool flush : {true, false}) {
        TeamOptions options;
        options.threads = 2;
        options.flush_denormals = flush;
        const auto team = make_team(options);
        const CallersBits callers(flush ? 0 : kFlushBits);
        const auto caller = std::this_thread::get_id();
        std::atomic<int> right{0}, wrong{0};
        for (int round = 0; round < 2000 && right == 0; ++round) {
            team->run(2, [&](int) {
                const bool mine = std::this_thread::get_id() == caller;
                if (!mine) ++(CallersBits::now() == (flush ? kFlushBits : 0) ? right : wrong);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            });
        }
        EXPECT_EQ(wrong, 0);
        if (available_cores() > 1) {
            EXPECT_GT(right, 0);
        }
        EXPECT_THROW(team->run(2, [](int) { throw std::runtime_error("slice"); }),
                     std::runtime_error);
        EXPECT_EQ(CallersBits::now(), flush ? 0 : kFlushBits);
    }
}

}  // namespace
}  // namespace rondo::cpu::denormals_test
