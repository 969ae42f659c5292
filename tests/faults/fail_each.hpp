// Fails the allocations of a call, one after the other.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <string>

#include "core/support/process.hpp"
#include "rondo/error.hpp"
#include "tests/faults/allocation_fault.hpp"

namespace rondo::test {

/// So many points of each call fail; RONDO_TEST_FAULTS=all fails each of them.
inline constexpr long kFaultPoints = 60;

enum class Ending { completed, refused, wrong };

/// An error that can't be allocated itself leaves as std::bad_alloc.
template <typename Action>
Ending ending_of(Action& action, const AllocationFault&, std::string& message) {
    try {
        action();
        return Ending::completed;
    } catch (const OutOfMemoryError&) {
        return Ending::refused;
    } catch (const std::bad_alloc&) {
        return Ending::refused;
    } catch (const std::exception& error) {
        message = error.what();
    }
    return Ending::wrong;
}

/// Lazily made tables of the process may stay after the first time, but don't grow.
template <typename Action>
bool leaks(Action& action, long nth, Failing failing) {
    std::string message;
    long most = live_allocations();
    for (int i = 0; i < 3; ++i) {
        ending_of(action, AllocationFault(nth, failing), message);
        message = {};
        const long now = live_allocations();
        if (now <= most) return false;
        most = now;
    }
    return true;
}

template <typename Action>
long allocations_of(Action& action, Reach reach) {
    constexpr long kNone = 1L << 62;
    const AllocationFault fault(kNone, Failing::one, reach);
    action();
    return fault.tried();
}

/// Leaks are looked for unless what the action makes is kept.
enum class Leaves { nothing, plans };

struct FaultChecks {
    Leaves leaves = Leaves::nothing;
    Reach reach = Reach::this_thread;
    long points = kFaultPoints;
    bool shares_work = false;  ///< with threads that the faults don't reach: fewer may be refused
    std::function<bool()> is_as_before = [] { return true; };  ///< after each fault
};

/// Each fault ends the action in a lack of memory, or the action does without what it lacks. Where
/// it reaches all threads, neither how many do is checked, nor leaks.
template <typename Action>
void fail_each(const std::string& name, Action action, const FaultChecks& checks = {}) {
    for (int i = 0; i < 2; ++i) action();
    const long count = allocations_of(action, checks.reach);
    const bool all = env("RONDO_TEST_FAULTS").value_or("") == "all";
    const long step = all ? 1 : std::max(1L, count / checks.points);
    const bool is_alone = checks.reach == Reach::this_thread;
    long faults = 0;
    long refused = 0;
    for (const Failing failing : {Failing::one, Failing::all}) {
        for (long nth = 1; nth <= count; nth += step) {
            const std::string place = name + ": allocation " + std::to_string(nth) + " of " +
                                      std::to_string(count) +
                                      (failing == Failing::all ? " and all after it" : "");
            const long before = live_allocations();
            std::string message;
            const Ending ending =
                ending_of(action, AllocationFault(nth, failing, checks.reach), message);
            EXPECT_NE(ending, Ending::wrong) << place << ": " << message;
            message = {};
            EXPECT_TRUE(checks.is_as_before()) << place;
            ++faults;
            refused += ending == Ending::refused ? 1 : 0;
            if (is_alone && checks.leaves == Leaves::nothing && live_allocations() > before) {
                EXPECT_FALSE(leaks(action, nth, failing)) << place;
            }
        }
    }
    if (is_alone && !checks.shares_work) {
        EXPECT_GE(refused, faults / 2);
    }
    action();  // as before
    std::printf("%s: %ld allocations, %ld faults, %ld refused\n", name.c_str(), count, faults,
                refused);
}

}  // namespace rondo::test
