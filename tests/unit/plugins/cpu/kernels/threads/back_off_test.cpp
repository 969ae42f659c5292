// Tests a part of plugins/cpu/kernels/threads/waiting.hpp.
#include "plugins/cpu/kernels/threads/waiting.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::back_off_test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirst{32};

TEST(BackOff, ThePauseDoublesUpToABound) {
    BackOff back_off(kFirst);
    BackOff::Clock::time_point now;
    EXPECT_FALSE(back_off.pausing(now));
    milliseconds length = kFirst;
    for (int time = 0; time < 10; ++time) {
        back_off.note_late(now);
        EXPECT_TRUE(back_off.pausing(now + length - milliseconds(1))) << time;
        EXPECT_FALSE(back_off.pausing(now + length)) << time;
        now += length;
        length = std::min(2 * length, BackOff::kMaxGrowth * kFirst);
    }
    EXPECT_EQ(length, milliseconds(1024));
}

// As where one thread evicts two others.
TEST(BackOff, LateTwiceAtOnceIsASecondPause) {
    BackOff back_off(kFirst);
    const BackOff::Clock::time_point now;
    back_off.note_late(now);
    back_off.note_late(now);
    EXPECT_TRUE(back_off.pausing(now + 2 * kFirst - milliseconds(1)));
    EXPECT_FALSE(back_off.pausing(now + 2 * kFirst));
}

TEST(BackOff, AfterAGoodTimeItStartsOver) {
    BackOff back_off(kFirst);
    BackOff::Clock::time_point now;
    back_off.note_late(now);
    back_off.note_late(now + milliseconds(5));
    now += milliseconds(5) + 2 * kFirst + BackOff::kMemory * 2 * kFirst;
    back_off.note_late(now);
    EXPECT_TRUE(back_off.pausing(now + kFirst - milliseconds(1)));
    EXPECT_FALSE(back_off.pausing(now + kFirst));
}

TEST(BackOff, BeforeTheFirstLatenessThereIsNoPause) {
    const BackOff back_off(kFirst);
    EXPECT_FALSE(back_off.pausing());
    EXPECT_FALSE(back_off.pausing(BackOff::Clock::time_point{}));
}

TEST(BackOff, ReadsTheClockWhereNoTimeIsGiven) {
    BackOff back_off(std::chrono::hours(1));
    back_off.note_late();
    EXPECT_TRUE(back_off.pausing());
}

// As beside a process of low priority, which takes 3 ms of 200.
TEST(LateCredit, PaysForLatenessThatIsRare) {
    LateCredit credit;
    for (int time = 0; time < 100; ++time) {
        for (int call = 0; call < 40; ++call) credit.add_work(ticks_of_microseconds(5000));
        EXPECT_TRUE(credit.pay(ticks_of_microseconds(3000))) << time;
    }
}

// As beside a process of equal priority: every other 4 ms.
TEST(LateCredit, DoesNotPayForALargeShare) {
    LateCredit credit;
    for (int time = 0; time < 10; ++time) {
        for (int call = 0; call < 4; ++call) credit.add_work(ticks_of_microseconds(1000));
        EXPECT_TRUE(credit.pay(ticks_of_microseconds(300))) << time;
        EXPECT_FALSE(credit.pay(ticks_of_microseconds(300))) << time;
    }
}

TEST(LateCredit, IsNotSavedUpWithoutABound) {
    LateCredit credit;
    EXPECT_FALSE(credit.pay(1));
    for (int call = 0; call < 1000; ++call) credit.add_work(ticks_of_microseconds(5000));
    EXPECT_FALSE(credit.pay(ticks_of_microseconds(LateCredit::kMostMicroseconds) + 1));
    EXPECT_FALSE(credit.pay(1));
}

}  // namespace
}  // namespace rondo::cpu::back_off_test
