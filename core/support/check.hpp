// Checks of internal conditions: a failure is a bug in Rondo, never the user's fault.
#pragma once

#include <string_view>

namespace rondo {

/// Throws InternalError with the caller's file and line.
[[noreturn]] void internal_error(std::string_view message, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE());

/// Throws InternalError unless `holds`.
inline void internal_check(bool holds, std::string_view message,
                           const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (!holds) internal_error(message, file, line);
}

}  // namespace rondo
