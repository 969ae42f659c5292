// Tests a part of core/support/errors.hpp.
#include "core/support/errors.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::check_test {
namespace {

using test::expect_error;

TEST(Check, HoldsInSilence) { EXPECT_NO_THROW(internal_check(true, "why")); }

TEST(Check, SaysWhatAndWhereItFailed) {
    int line = 0;
    const auto fail = [&] { line = __LINE__, internal_check(false, "why"); };
    EXPECT_THROW(fail(), InternalError);
    expect_error<InternalError>(
        fail, "check_test.cpp:" + std::to_string(line) + ": why (a bug in Rondo)");
    expect_error<InternalError>([] { internal_error("because"); }, ": because (a bug in Rondo)");
}

TEST(Check, NamesTheFileWithoutItsFolders) {
    const auto message = [](const char* file) {
        try {
            internal_error("why", file, 7);
        } catch (const InternalError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(message("/a/b/c.cpp"), "c.cpp:7: why (a bug in Rondo)");
    EXPECT_EQ(message("c.cpp"), "c.cpp:7: why (a bug in Rondo)");
}

}  // namespace
}  // namespace rondo::check_test
