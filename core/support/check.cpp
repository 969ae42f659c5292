#include "core/support/check.hpp"

#include <string>

#include "rondo/error.hpp"

namespace rondo {

void internal_error(std::string_view message, const char* file, int line) {
    const std::string path = file;
    throw InternalError(path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line) +
                        ": " + std::string(message) + " (a bug in Rondo)");
}

}  // namespace rondo
