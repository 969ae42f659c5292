// Tests a part of core/support/errors.hpp.
#include "core/support/errors.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace rondo::error_place_test {
namespace {

const auto kHere = [] { return std::string("node 'a' (LSTM)"); };

TEST(ErrorPlace, GoesInFrontOfTheMessageAndKeepsTheKind) {
    test::expect_error<ModelError>([] { at_place(kHere, [] { throw ModelError("bad"); }); },
                                   "node 'a' (LSTM): bad");
    test::expect_error<UnsupportedError>(
        [] { at_place(kHere, [] { throw UnsupportedError("not done"); }); },
        "node 'a' (LSTM): not done");
    EXPECT_THROW(at_place(kHere, [] { throw CancelledError("stopped"); }), CancelledError);
}

TEST(ErrorPlace, IsNotMadeWithoutAnError) {
    const auto never = []() -> std::string { throw InternalError("made the place"); };
    EXPECT_EQ(at_place(never, [] { return 7; }), 7);
}

TEST(ErrorPlace, OfTwoNodesTheInnerOneIsNamed) {
    EXPECT_EQ(placed("node 'a' (LSTM)", "node 'a/w' (Split): bad"), "node 'a/w' (Split): bad");
    EXPECT_EQ(placed("node of 'y' (LSTM)", "node of 'y' (LSTM, as Split 'n/w'): bad"),
              "node of 'y' (LSTM, as Split 'n/w'): bad");
    EXPECT_EQ(placed("node 'a' (LSTM)", "node '' (Split): bad"),
              "node 'a' (LSTM): node '' (Split): bad");
    EXPECT_EQ(placed("a.onnx", "node 'a' (LSTM): bad"), "a.onnx: node 'a' (LSTM): bad");
}

TEST(ErrorPlace, StaysOnOneLine) { EXPECT_EQ(placed("a\nb", "c\x7f\td"), "a?b: c??d"); }

}  // namespace
}  // namespace rondo::error_place_test
