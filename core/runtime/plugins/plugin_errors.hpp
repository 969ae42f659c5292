// Turns whatever the code of a plugin throws into errors that name it.
#pragma once

#include <string>

namespace rondo {

/// Throws the exception that is being handled as an Error of the same kind whose message begins
/// with `place`: a lack of memory as OutOfMemoryError, what is no Error as one of no other kind.
/// The new one is Rondo's own: no code of the plugin is needed to read or destroy it.
[[noreturn]] void rethrow_from_plugin(const std::string& place);

/// Runs `action`, which calls a plugin; an exception leaves as rethrow_from_plugin() says.
template <typename Action>
auto at_plugin(const std::string& place, const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (...) {
        rethrow_from_plugin(place);
    }
}

}  // namespace rondo
