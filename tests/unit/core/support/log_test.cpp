#include "core/support/log.hpp"

#include <stdlib.h>  // setenv

#include <cstdlib>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rondo/core.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo {
namespace {

using testing::ExitedWithCode;
using testing::HasSubstr;

// RONDO_LOG is read once a process: each case runs in a fresh one, and is judged by what that
// writes on the standard error stream.
class LogTest : public testing::Test {
protected:
    LogTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
    ~LogTest() override { ::unsetenv("RONDO_LOG"); }
};

void log_each_level() {
    log(LogLevel::warning, "careful");
    log(LogLevel::info, "by the way");
    log(LogLevel::debug, "in detail");
}

// [1,1,2] and so on: all shapes of the fixture are known, so compiling plans it.
void compile_fixture() {
    Core core;
    const std::string path = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
    const CompiledModel compiled = core.compile_model(path, "CPU");
    std::exit(0);
}

TEST(ParseLogLevel, KnowsEachName) {
    EXPECT_EQ(parse_log_level("off"), LogLevel::off);
    EXPECT_EQ(parse_log_level("warning"), LogLevel::warning);
    EXPECT_EQ(parse_log_level("info"), LogLevel::info);
    EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
    EXPECT_EQ(parse_log_level(""), LogLevel::off);
}

TEST(ParseLogLevel, KnowsNothingElse) {
    for (const char* text : {"zzz", "Info", "info ", "2", "debu", "debugs"}) {
        EXPECT_EQ(parse_log_level(text), std::nullopt) << text;
    }
}

TEST_F(LogTest, IsSilentUnlessAsked) {
    ::unsetenv("RONDO_LOG");
    const auto levels = [] {
        testing::internal::CaptureStderr();
        log_each_level();
        std::exit(testing::internal::GetCapturedStderr().empty() ? 0 : 1);
    };
    EXPECT_EXIT(levels(), ExitedWithCode(0), "");
}

TEST_F(LogTest, WritesUpToTheLevelAskedFor) {
    ::setenv("RONDO_LOG", "info", 1);
    const auto levels = [] {
        testing::internal::CaptureStderr();
        log_each_level();
        const bool right = testing::internal::GetCapturedStderr() ==
                           "rondo warning: careful\nrondo info: by the way\n";
        std::exit(right ? 0 : 1);
    };
    EXPECT_EXIT(levels(), ExitedWithCode(0), "");
}

TEST_F(LogTest, SaysOnceThatALevelIsUnknown) {
    ::setenv("RONDO_LOG", "zzz", 1);
    const auto levels = [] {
        testing::internal::CaptureStderr();
        log_each_level();
        const bool right = testing::internal::GetCapturedStderr() ==
                           "rondo warning: RONDO_LOG is 'zzz'; expected off, warning, info or "
                           "debug\n";
        std::exit(right ? 0 : 1);
    };
    EXPECT_EXIT(levels(), ExitedWithCode(0), "");
}

TEST_F(LogTest, TellsWhatWasReadAndCompiled) {
    ::setenv("RONDO_LOG", "info", 1);
    EXPECT_EXIT(compile_fixture(), ExitedWithCode(0),
                testing::AllOf(HasSubstr("rondo info: read "), HasSubstr("lstm_model.xml (ir, "),
                               HasSubstr(" nodes) in "),
                               HasSubstr("rondo info: compiled 'lstm_model' for CPU in "),
                               testing::Not(HasSubstr("debug"))));
}

TEST_F(LogTest, TellsKernelsAndPlansInDetail) {
    ::setenv("RONDO_LOG", "debug", 1);
    EXPECT_EXIT(compile_fixture(), ExitedWithCode(0),
                testing::AllOf(HasSubstr("rondo debug: cpu: new plan for ["),
                               HasSubstr("rondo debug: cpu: 'lstm': ")));
}

}  // namespace
}  // namespace rondo
