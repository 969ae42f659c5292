#include "plugins/cpu/plugin/threads/patience.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu {
namespace {

using std::chrono::milliseconds;

TEST(Patience, TheWhileDoublesUpToABound) {
    Patience patience;
    Patience::Clock::time_point now;
    EXPECT_FALSE(patience.alone(now));
    milliseconds length = Patience::kFirst;
    for (int time = 0; time < 10; ++time) {
        patience.note_late(now);
        EXPECT_TRUE(patience.alone(now + length - milliseconds(1)));
        EXPECT_FALSE(patience.alone(now + length));
        now += length;
        length = std::min(2 * length, Patience::kMost);
    }
}

TEST(Patience, AfterAGoodTimeItStartsOver) {
    Patience patience;
    Patience::Clock::time_point now;
    patience.note_late(now);
    patience.note_late(now + milliseconds(5));
    now += std::chrono::seconds(1);
    patience.note_late(now);
    EXPECT_FALSE(patience.alone(now + Patience::kFirst));
}

}  // namespace
}  // namespace rondo::cpu
