// Environment variables, read in one place.
#pragma once

#include <optional>
#include <string>

namespace rondo {

/// The variable's value, or nothing if it is unset or empty.
std::optional<std::string> env(const char* name);

}  // namespace rondo
