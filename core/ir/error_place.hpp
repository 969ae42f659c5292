// Puts the place where an error happened in front of its message.
#pragma once

#include <string>
#include <utility>

#include "rondo/error.hpp"

namespace rondo::ir {

/// Messages stay on one line, whatever the names in a file hold.
inline std::string on_one_line(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    return text;
}

/// Runs `action`; a ModelError or UnsupportedError that it throws is thrown anew, of the same kind,
/// as "place: message". `make_place` is called only then.
template <typename MakePlace, typename Action>
auto at_place(const MakePlace& make_place, const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (const ModelError& error) {
        throw ModelError(on_one_line(make_place() + ": " + error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(on_one_line(make_place() + ": " + error.what()));
    }
}

}  // namespace rondo::ir
