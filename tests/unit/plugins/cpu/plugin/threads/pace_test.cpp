// How fast calls follow each other.
#include "plugins/cpu/plugin/threads/pooled_team.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::pace_test {
namespace {

using std::chrono::microseconds;

TEST(Pace, CallsInQuickSuccessionAreBrisk) {
    Pace pace;
    Pace::Clock::time_point now{std::chrono::hours(1)};
    for (int call = 0; call < Pace::kCalls; ++call) {
        EXPECT_FALSE(pace.is_brisk(now)) << call;
        now += Pace::kBrisk - microseconds(1);
    }
    EXPECT_TRUE(pace.is_brisk(now));
    EXPECT_TRUE(pace.is_brisk(now + microseconds(1)));
    EXPECT_FALSE(pace.is_brisk(now + microseconds(1) + Pace::kBrisk));
}

}  // namespace
}  // namespace rondo::cpu::pace_test
