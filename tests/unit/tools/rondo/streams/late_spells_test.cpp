// When steps of live streams were late.
#include <gtest/gtest.h>

#include "tools/rondo/streams/live_streams.hpp"

namespace rondo::tool::late_spells_test {
namespace {

TEST(LateSpells, StepsThatOverlapAreOne) {
    const LateSpells spells = spells_of({{5, 25}, {0, 20}, {20, 31}, {100, 112}});
    EXPECT_EQ(spells.count, 2U);
    EXPECT_EQ(spells.longest_ms, 31);
}

TEST(LateSpells, ALongStepCoversThoseBehindIt) {
    const LateSpells spells = spells_of({{0, 100}, {10, 30}, {90, 105}, {105.5, 120}});
    EXPECT_EQ(spells.count, 2U);
    EXPECT_EQ(spells.longest_ms, 105);
}

TEST(LateSpells, NoneWhereNoStepIsLate) {
    EXPECT_EQ(spells_of({}).count, 0U);
    EXPECT_EQ(spells_of({}).longest_ms, 0);
}

}  // namespace
}  // namespace rondo::tool::late_spells_test
