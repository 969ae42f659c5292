// Tests a part of core/support/limits.hpp.
#include "core/support/limits.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::deadline_test {
namespace {

using std::chrono::milliseconds;
using test::expect_error;

void check(const Deadline& deadline) {
    deadline.check([] { return std::string("before pass 'fold'"); });
}

TEST(Deadline, IsKeptUntilItsTimeIsOver) {
    const Deadline soon(milliseconds(1));
    const Deadline late(milliseconds(1'000'000'000));
    std::this_thread::sleep_for(milliseconds(2));
    expect_error<UnsupportedError>([&] { check(soon); },
                                   "before pass 'fold': compiling takes too long, in ms: the limit "
                                   "is 1 (property 'MAX_COMPILE_TIME')");
    EXPECT_NO_THROW(check(late));
}

TEST(Deadline, NoTimeIsAnyTime) {
    EXPECT_NO_THROW(check(Deadline()));
    EXPECT_NO_THROW(check(Deadline(milliseconds(0))));
    EXPECT_NO_THROW(check(Deadline(milliseconds::max())));
}

}  // namespace
}  // namespace rondo::deadline_test
