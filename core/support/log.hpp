// Log messages; silent unless RONDO_LOG enables them.
#pragma once

#include <optional>
#include <string_view>

namespace rondo {

/// RONDO_LOG = off (default), warning, info or debug. No message has the level off.
enum class LogLevel { off, warning, info, debug };

/// The level of that name; nothing if there is none. Empty text means off.
std::optional<LogLevel> parse_log_level(std::string_view text);

/// True if a message of that level would be written. Reads RONDO_LOG at the first call, and reports
/// an unknown value once on the standard error stream.
bool log_enabled(LogLevel level);

/// Writes one line to the standard error stream. Callers check log_enabled() before they
/// build a message.
void log(LogLevel level, std::string_view message);

}  // namespace rondo
