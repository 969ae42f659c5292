#include "tools/rondo/benchmark/loop_watch.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace rondo::tool::loop_watch_test {
namespace {

TEST(LoopWatch, NotesTheFirstSignal) {
    for (const int signal : {SIGINT, SIGTERM}) {
        LoopWatch watch(1, 0);
        EXPECT_TRUE(watch.goes_on(0));
        EXPECT_EQ(watch.exit_code(), 0);
        std::raise(signal);
        EXPECT_FALSE(watch.goes_on(1));
        EXPECT_TRUE(watch.is_interrupted());
        EXPECT_EQ(watch.exit_code(), 128 + signal);
        watch.restart({"again: ", "steps"});
        EXPECT_FALSE(watch.goes_on(0));                    // what follows it doesn't begin
        EXPECT_EQ(std::signal(signal, SIG_DFL), SIG_DFL);  // the second one ends the program
    }
}

}  // namespace
}  // namespace rondo::tool::loop_watch_test
