// What `rondo --version` prints.
#pragma once

#include <string>

namespace rondo::tool {

/// The version on the first line; then commit, compiler, instruction sets and features, a line
/// each.
std::string version_text();

}  // namespace rondo::tool
