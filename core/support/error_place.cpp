#include "core/support/error_place.hpp"

#include <algorithm>

namespace rondo {

namespace {

// As describe(node) begins. One that has no name yet says less than its place.
bool is_node(std::string_view text) {
    return (text.starts_with("node '") && !text.starts_with("node ''")) ||
           text.starts_with("node of '");
}

}  // namespace

std::string one_line(std::string text) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(text.begin(), text.end(), is_control, '?');
    return text;
}

std::string placed(std::string_view place, std::string_view message) {
    if (is_node(place) && is_node(message)) return one_line(std::string(message));
    return one_line(std::string(place) + ": " + std::string(message));
}

}  // namespace rondo
