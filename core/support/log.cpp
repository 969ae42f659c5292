#include "core/support/log.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <memory>
#include <utility>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"

namespace rondo {
namespace {

constexpr std::array kNames = {"off", "warning", "info", "debug"};
constexpr std::array kPropertyNames = {"LOG_NONE", "LOG_WARNING", "LOG_INFO", "LOG_DEBUG"};

// "2026-01-31T23:59:59.123Z 4711": the time in UTC, and the thread as `ps -L` and `top -H` name it.
std::string stamp() {
    using std::chrono::milliseconds;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto count = std::chrono::duration_cast<milliseconds>(now).count();
    const std::time_t seconds = count / 1000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> day{};
    std::strftime(day.data(), day.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s.%03dZ %d", day.data(),
                  static_cast<int>(count % 1000), static_cast<int>(::gettid()));
    return text.data();
}

void write_line(LogLevel level, std::string_view message) {
    const std::string line = stamp() + " rondo " + kNames[static_cast<std::size_t>(level)] + ": " +
                             std::string(message) + "\n";
    std::fputs(line.c_str(), stderr);
}

LogLevel wanted_level() {
    const std::string text = env("RONDO_LOG").value_or("");
    if (const auto level = parse_log_level(text)) return *level;
    write_line(LogLevel::warning,
               "RONDO_LOG is '" + text + "'; expected off, warning, info or debug");
    return LogLevel::off;
}

struct Sink {
    std::atomic<LogLevel> highest{wanted_level()};
    ForkMutex mutex;
    std::shared_ptr<const LogCallback> callback;  // null: the standard error stream
};

// Never destroyed: threads outlive static objects.
Sink& sink() {
    static Sink* const only = new Sink;
    return *only;
}

std::shared_ptr<const LogCallback> present_callback() {
    const std::lock_guard lock(sink().mutex);
    return sink().callback;
}

// A callback's own calls of Rondo would call it again, without end.
void call(const LogCallback& callback, LogLevel level, std::string_view message) {
    static thread_local bool calls = false;
    if (calls) return;
    calls = true;
    try {
        callback(level, std::string(message));
    } catch (...) {  // the program's own fault must not end an inference
    }
    calls = false;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view text) {
    if (text.empty()) return LogLevel::off;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (text == kNames[i]) return static_cast<LogLevel>(i);
    }
    return std::nullopt;
}

std::optional<LogLevel> log_level_of_property(std::string_view text) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (equals_ignoring_case(text, kNames[i]) ||
            equals_ignoring_case(text, kPropertyNames[i])) {
            return static_cast<LogLevel>(i);
        }
    }
    if (equals_ignoring_case(text, "LOG_ERROR")) return LogLevel::off;
    if (equals_ignoring_case(text, "LOG_TRACE")) return LogLevel::debug;
    return std::nullopt;
}

std::string property_of_log_level(LogLevel level) {
    return kPropertyNames[static_cast<std::size_t>(level)];
}

void set_log_level(LogLevel level) { sink().highest.store(level, std::memory_order_relaxed); }
LogLevel log_level() { return sink().highest.load(std::memory_order_relaxed); }

void set_log_callback(LogCallback callback) {
    auto next = callback ? std::make_shared<const LogCallback>(std::move(callback)) : nullptr;
    const std::lock_guard lock(sink().mutex);
    sink().callback.swap(next);
}

bool log_enabled(LogLevel level) { return level != LogLevel::off && level <= log_level(); }

void log(LogLevel level, std::string_view message) {
    if (!log_enabled(level)) return;
    if (const auto callback = present_callback()) return call(*callback, level, message);
    try {
        write_line(level, message);
    } catch (...) {  // no memory for the line
    }
}

}  // namespace rondo
