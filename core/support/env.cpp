#include "core/support/env.hpp"

#include <cstdlib>

namespace rondo {

std::optional<std::string> env(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
}

}  // namespace rondo
