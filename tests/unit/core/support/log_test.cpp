#include "core/support/log.hpp"

#include <stdlib.h>  // setenv

#include <cstdlib>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::log_test {
namespace {

using test::expect_error;

using testing::ExitedWithCode;
using testing::HasSubstr;

// RONDO_LOG is read once a process: each case runs in a fresh one, and is judged by what that
// writes on the standard error stream.
class LogTest : public testing::Test {
protected:
    LogTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
    ~LogTest() override { ::unsetenv("RONDO_LOG"); }

    void SetUp() override {
        if (test::is_emulated()) GTEST_SKIP() << "an emulator can't start the program again";
    }
};

void log_each_level() {
    log(LogLevel::warning, "careful");
    log(LogLevel::info, "by the way");
    log(LogLevel::debug, "in detail");
}

// Whether the standard error stream had these lines, each after a time and a thread.
bool is_log(const std::vector<std::string>& expected) {
    const std::regex line("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z \\d+ (rondo .*)");
    std::istringstream text(testing::internal::GetCapturedStderr());
    std::vector<std::string> found;
    for (std::string one; std::getline(text, one);) {
        std::smatch match;
        found.push_back(std::regex_match(one, match, line) ? match[1].str() : "no time: " + one);
    }
    return found == expected;
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
        std::exit(is_log({"rondo warning: careful", "rondo info: by the way"}) ? 0 : 1);
    };
    EXPECT_EXIT(levels(), ExitedWithCode(0), "");
}

TEST_F(LogTest, SaysOnceThatALevelIsUnknown) {
    ::setenv("RONDO_LOG", "zzz", 1);
    const auto levels = [] {
        testing::internal::CaptureStderr();
        log_each_level();
        const char* const expected =
            "rondo warning: RONDO_LOG is 'zzz'; expected off, warning, info or debug";
        std::exit(is_log({expected}) ? 0 : 1);
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

// Puts level and callback back.
class LogCallbackTest : public testing::Test {
protected:
    ~LogCallbackTest() override {
        set_log_callback({});
        set_log_level(LogLevel::off);
    }
    std::vector<std::string> messages_;
    void collect() {
        set_log_callback([this](LogLevel level, const std::string& message) {
            messages_.push_back(std::to_string(static_cast<int>(level)) + " " + message);
        });
    }
};

TEST_F(LogCallbackTest, GetsMessagesUpToTheLevel) {
    collect();
    log_each_level();
    EXPECT_TRUE(messages_.empty());
    set_log_level(LogLevel::info);
    log_each_level();
    EXPECT_EQ(messages_, (std::vector<std::string>{"1 careful", "2 by the way"}));
    EXPECT_EQ(log_level(), LogLevel::info);
}

TEST_F(LogCallbackTest, MayThrowAndCallRondo) {
    set_log_level(LogLevel::debug);
    int calls = 0;
    set_log_callback([&](LogLevel, const std::string&) {
        ++calls;
        log(LogLevel::warning, "from within");
        throw std::runtime_error("no disk");
    });
    EXPECT_NO_THROW(log_each_level());
    EXPECT_EQ(calls, 3);
    set_log_callback([&](LogLevel, const std::string&) { throw 1; });
    const std::string path = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
    EXPECT_NO_THROW(Core().compile_model(path));
}

TEST_F(LogCallbackTest, ThePropertySetsTheLevel) {
    collect();
    Core core;
    core.set_property("CPU", {{property::kLogLevel, "LOG_INFO"}});
    EXPECT_EQ(log_level(), LogLevel::info);
    EXPECT_EQ(core.get_property("REFERENCE", property::kLogLevel), "LOG_INFO");
    const std::string path = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
    core.compile_model(path);
    const auto is_plan = HasSubstr("2 cpu: new plan for [1,2,3]");
    EXPECT_THAT(messages_, testing::Contains(is_plan));
    EXPECT_THAT(messages_, testing::Contains(HasSubstr("2 compiled 'lstm_model' for CPU in ")));
    core.compile_model(path, "CPU", {{property::kLogLevel, "off"}});
    EXPECT_EQ(log_level(), LogLevel::off);
    EXPECT_EQ(core.get_property("CPU", property::kLogLevel), "LOG_NONE");
    expect_error<ModelError>(
        [&] {
            core.set_property("CPU", {{"LOG_LEVEL", "loud"}});
        },
        "got 'loud'; expected LOG_NONE, LOG_WARNING, LOG_INFO or LOG_DEBUG");
}

TEST(LogProperty, HasOpenVinosNames) {
    EXPECT_EQ(log_level_of_property("LOG_ERROR"), LogLevel::off);
    EXPECT_EQ(log_level_of_property("log_trace"), LogLevel::debug);
    EXPECT_EQ(log_level_of_property("Warning"), LogLevel::warning);
    EXPECT_EQ(log_level_of_property(""), std::nullopt);
    EXPECT_EQ(property_of_log_level(LogLevel::debug), "LOG_DEBUG");
}

TEST_F(LogTest, TellsKernelsAndPlansInDetail) {
    ::setenv("RONDO_LOG", "debug", 1);
    EXPECT_EXIT(compile_fixture(), ExitedWithCode(0),
                testing::AllOf(HasSubstr("rondo info: cpu: new plan for ["),
                               HasSubstr("rondo debug: cpu: 'lstm': ")));
}

}  // namespace
}  // namespace rondo::log_test
