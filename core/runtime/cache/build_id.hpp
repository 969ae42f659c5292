// Distinguishes one build of this library from another.
#pragma once

#include <string>

namespace rondo {

/// The linker's build id in hexadecimal, of the library or program that this code is part of; empty
/// if it was linked without one.
std::string build_id();

}  // namespace rondo
