#include "core/support/log.hpp"

#include <cstdio>
#include <string>

#include "core/support/env.hpp"

namespace rondo {
namespace {

constexpr const char* kNames[] = {"warning", "info", "debug"};

int highest_level() {
    const auto wanted = env("RONDO_LOG");
    for (int level = 0; level < 3; ++level) {
        if (wanted == kNames[level]) return level;
    }
    return -1;
}

}  // namespace

bool log_enabled(LogLevel level) {
    static const int highest = highest_level();
    return static_cast<int>(level) <= highest;
}

void log(LogLevel level, std::string_view message) {
    if (!log_enabled(level)) return;
    const std::string line = std::string("rondo ") + kNames[static_cast<int>(level)] + ": " +
                             std::string(message) + "\n";
    std::fputs(line.c_str(), stderr);
}

}  // namespace rondo
