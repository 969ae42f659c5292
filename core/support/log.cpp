#include "core/support/log.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "core/support/env.hpp"

namespace rondo {
namespace {

constexpr std::array kNames = {"off", "warning", "info", "debug"};

void write_line(LogLevel level, std::string_view message) {
    const std::string line = std::string("rondo ") + kNames[static_cast<std::size_t>(level)] +
                             ": " + std::string(message) + "\n";
    std::fputs(line.c_str(), stderr);
}

LogLevel wanted_level() {
    const std::string text = env("RONDO_LOG").value_or("");
    if (const auto level = parse_log_level(text)) return *level;
    write_line(LogLevel::warning,
               "RONDO_LOG is '" + text + "'; expected off, warning, info or debug");
    return LogLevel::off;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view text) {
    if (text.empty()) return LogLevel::off;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (text == kNames[i]) return static_cast<LogLevel>(i);
    }
    return std::nullopt;
}

bool log_enabled(LogLevel level) {
    static const LogLevel highest = wanted_level();
    return level != LogLevel::off && level <= highest;
}

void log(LogLevel level, std::string_view message) {
    if (log_enabled(level)) write_line(level, message);
}

}  // namespace rondo
