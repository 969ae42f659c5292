// Errors: checks of internal conditions, whose failure is a bug in Rondo, and the place where an
// error happened, in front of its message.
#pragma once

#include <string>
#include <string_view>

#include "rondo/error.hpp"

namespace rondo {

/// Throws InternalError with the caller's file and line.
[[noreturn]] void internal_error(std::string_view message, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE());

/// Throws InternalError unless `holds`.
inline void internal_check(bool holds, std::string_view message,
                           const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (!holds) internal_error(message, file, line);
}

/// The text with control characters replaced: names in a file may hold any, and a message is one
/// line.
std::string one_line(std::string text);

/// "place: message" on one line; `message` alone if both name a node, as the inner one, which
/// an op has written, says more.
std::string placed(std::string_view place, std::string_view message);

/// Runs `action`; a ModelError or UnsupportedError that it throws is thrown again, of the same
/// kind, as placed(make_place(), message). `make_place` is called only then.
template <typename MakePlace, typename Action>
auto at_place(const MakePlace& make_place, const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (const ModelError& error) {
        throw ModelError(placed(make_place(), error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(placed(make_place(), error.what()));
    }
}

}  // namespace rondo
