// Puts the place where an error happened in front of its message.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "rondo/error.hpp"

namespace rondo::onnx {

/// "node 'lstm_1' (LSTM)".
inline std::string node_place(std::string_view name, std::string_view op_type) {
    return "node '" + std::string(name) + "' (" + std::string(op_type) + ")";
}

/// The text with control characters replaced: a file's names may hold anything, a message is a
/// line.
inline std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return text;
}

/// Runs `action`; a ModelError or UnsupportedError that it throws gets `place` in front, unless
/// its message already names a node: an op that a converter made says more than the converter.
template <typename Action>
auto at_place(const std::string& place, const Action& action) -> decltype(action()) {
    const auto placed = [&](const std::string& message) {
        const bool named = message.starts_with("node '") && place.starts_with("node '");
        return one_line(named ? message : place + ": " + message);
    };
    try {
        return action();
    } catch (const ModelError& error) {
        throw ModelError(placed(error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(placed(error.what()));
    }
}

}  // namespace rondo::onnx
