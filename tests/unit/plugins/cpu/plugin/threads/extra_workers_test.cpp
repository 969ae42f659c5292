// The threads that a team adds to those of TBB.
#include "plugins/cpu/plugin/threads/tbb_team.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

namespace rondo::cpu::extra_workers_test {
namespace {

std::size_t allowed_threads() {
    return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

TEST(ExtraWorkers, RaiseTheLimitOfThreadsWhileTheyLive) {
    const std::size_t before = allowed_threads();
    {
        const ExtraWorkers three(3);
        EXPECT_EQ(allowed_threads(), before + 3);
        {
            const ExtraWorkers two(2);
            EXPECT_EQ(allowed_threads(), before + 5);
        }
        EXPECT_EQ(allowed_threads(), before + 3);
    }
    EXPECT_EQ(allowed_threads(), before);
}

}  // namespace
}  // namespace rondo::cpu::extra_workers_test
