// Log messages: their level, and where they go. Silent unless a program or RONDO_LOG enables them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rondo/export.hpp"

namespace rondo {

/// No message has the level off. Messages are about reading, compiling, planning and caching, never
/// about each inference.
enum class LogLevel : std::uint8_t { off, warning, info, debug };

/// Messages up to that level are written, in the whole process. The property LOG_LEVEL does the
/// same; without either it is RONDO_LOG's.
RONDO_API void set_log_level(LogLevel level);
RONDO_API LogLevel log_level();

/// Receives a line without its end. Any thread calls it, also several at once. What it throws is
/// ignored, and it gets no messages of Rondo's calls that it makes itself.
using LogCallback = std::function<void(LogLevel level, const std::string& message)>;

/// Messages go to `callback` instead of the standard error stream; an empty one brings that back.
/// A message that is on its way may still reach the callback before.
RONDO_API void set_log_callback(LogCallback callback);

}  // namespace rondo
