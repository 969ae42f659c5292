#include "core/support/errors.hpp"

#include <algorithm>
#include <string>

#include "rondo/error.hpp"

namespace rondo {

void internal_error(std::string_view message, const char* file, int line) {
    const std::string path = file;
    throw InternalError(path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line) +
                        ": " + std::string(message) + " (a bug in Rondo)");
}

// Out of line, so that the types have one home and cross library borders.
Error::~Error() = default;
ModelError::~ModelError() = default;
UnsupportedError::~UnsupportedError() = default;
InternalError::~InternalError() = default;
OutOfMemoryError::~OutOfMemoryError() = default;
QueueFullError::~QueueFullError() = default;
CancelledError::~CancelledError() = default;

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
