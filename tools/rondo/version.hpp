// What `rondo --version` prints.
#pragma once

#include <string>

namespace rondo::tool {

/// The version and the commit, such as "0.1.0 b939d3f1b0".
std::string version_and_commit();

/// The version on the first line; then commit, compiler, instruction sets and features, a line
/// each.
std::string version_text();

}  // namespace rondo::tool
