// Messages for people that are no errors; silent unless RONDO_LOG asks for them.
#pragma once

#include <string_view>

namespace rondo {

/// RONDO_LOG = off (default), warning, info or debug.
enum class LogLevel { warning, info, debug };

/// True where a message of that level would be written.
bool log_enabled(LogLevel level);

/// Writes one line to the standard error stream.
void log(LogLevel level, std::string_view message);

}  // namespace rondo
