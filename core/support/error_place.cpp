#include "core/support/error_place.hpp"

#include <algorithm>

namespace rondo {

std::string one_line(std::string text) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(text.begin(), text.end(), is_control, '?');
    return text;
}

std::string placed(std::string_view place, std::string_view message) {
    constexpr std::string_view kNode = "node '";
    if (place.starts_with(kNode) && message.starts_with(kNode)) {
        return one_line(std::string(message));
    }
    return one_line(std::string(place) + ": " + std::string(message));
}

}  // namespace rondo
