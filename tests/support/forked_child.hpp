// Work in a forked child, whose end shows whether it succeeded.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

namespace rondo::test {

/// Runs `work` in a forked child, which ends by it; false where it hangs, crashes, returns false,
/// or an expectation fails in it.
template <typename Work>
bool succeeds_in_a_child(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);  // ends a child that hangs
        bool succeeded = false;
        try {
            succeeded = work();
        } catch (const std::exception& error) {  // must not go on with the parent's tests
            std::fprintf(stderr, "in the child: %s\n", error.what());
        }
        ::_exit(succeeded && !::testing::Test::HasFailure() ? 0 : 1);
    }
    int status = -1;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace rondo::test
