#include "core/support/api_boundary.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>
#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::api_boundary_test {
namespace {

using test::expect_error;

template <typename Kind, typename Thrown>
void expect_becomes(const Thrown& thrown, std::string_view message) {
    expect_error<Kind>([&] { at_api_boundary([&] { throw thrown; }); }, message);
}

TEST(ApiBoundary, GivesBackWhatTheCallReturns) {
    int x = 1;
    at_api_boundary([&] { ++x; });
    EXPECT_EQ(at_api_boundary([&] { return x; }), 2);
}

TEST(ApiBoundary, LeavesRondosErrorsAsTheyAre) {
    expect_becomes<ModelError>(ModelError("m"), "m");
    expect_becomes<UnsupportedError>(UnsupportedError("u"), "u");
    expect_becomes<InternalError>(InternalError("i"), "i");
    expect_becomes<CancelledError>(CancelledError("c"), "c");
}

TEST(ApiBoundary, ReportsALackOfMemory) {
    expect_becomes<OutOfMemoryError>(std::bad_alloc(), "out of memory");
    expect_becomes<OutOfMemoryError>(std::length_error("vector"), "than fits the address space");
}

TEST(ApiBoundary, ReportsWhatTheSystemRefuses) {
    const std::system_error refused(EAGAIN, std::generic_category());
    expect_becomes<Error>(refused, "the system refused a thread, a lock or a file: ");
}

TEST(ApiBoundary, ReportsABugThatTheStandardLibraryFound) {
    expect_error<InternalError>([] { at_api_boundary([] { return std::map<int, int>().at(1); }); },
                                "an unexpected exception: map::at");
    expect_becomes<InternalError>(std::bad_optional_access(), "bad optional access");
    expect_becomes<InternalError>(std::bad_variant_access(), "bad variant access");
    expect_becomes<InternalError>(std::bad_cast(), "bad_cast");
    expect_becomes<InternalError>(std::bad_function_call(), "bad_function_call");
}

TEST(ApiBoundary, LeavesWhatCallbacksThrow) {
    EXPECT_THROW(at_api_boundary([] { throw std::runtime_error("a user's"); }), std::runtime_error);
    EXPECT_THROW(at_api_boundary([] { throw 7; }), int);
}

}  // namespace
}  // namespace rondo::api_boundary_test
