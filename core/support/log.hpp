// Writes log messages; rondo/log.hpp sets their level and where they go. Measures durations for
// them.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/log.hpp"

namespace rondo {

/// The level of that name, as RONDO_LOG has it: off, warning, info or debug. Nothing if there is
/// none. Empty text means off.
std::optional<LogLevel> parse_log_level(std::string_view text);

/// The level as the property LOG_LEVEL has it: these names, whatever the case, or OpenVINO's. Its
/// LOG_ERROR means off, as errors are thrown here, and LOG_TRACE means debug.
std::optional<LogLevel> log_level_of_property(std::string_view text);
/// OpenVINO's name of the level: LOG_NONE, LOG_WARNING, LOG_INFO or LOG_DEBUG.
std::string property_of_log_level(LogLevel level);

/// True if a message of that level would be written. Reads RONDO_LOG at the first call, and reports
/// an unknown value once on the standard error stream.
bool log_enabled(LogLevel level);

/// Writes one line. Throws nothing. Callers check log_enabled() before they build a message, and
/// hold no lock that a callback's own call of Rondo might take.
void log(LogLevel level, std::string_view message);

/// Runs from its construction on.
class Stopwatch {
public:
    /// The time so far, such as "12.3 ms".
    std::string text() const {
        const std::chrono::duration<double, std::milli> time = Clock::now() - start_;
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.1f ms", time.count());
        return buffer;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace rondo
