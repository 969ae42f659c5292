// Messages for people that are no errors; silent unless RONDO_LOG asks for them.
#pragma once

#include <optional>
#include <string_view>

namespace rondo {

/// RONDO_LOG = off (default), warning, info or debug. No message has the level off.
enum class LogLevel { off, warning, info, debug };

/// The level of that name; nothing where there is none. Empty text means off.
std::optional<LogLevel> parse_log_level(std::string_view text);

/// True where a message of that level would be written. Reads RONDO_LOG at the first call, and says
/// once on the standard error stream where its value is unknown.
bool log_enabled(LogLevel level);

/// Writes one line to the standard error stream. Callers that put a message together ask
/// log_enabled() first.
void log(LogLevel level, std::string_view message);

}  // namespace rondo
