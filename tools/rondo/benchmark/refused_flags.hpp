// Flags of benchmark_app that have no meaning here.
#pragma once

#include <string>

namespace rondo::tool {

/// Why the flag isn't there, for a name without dashes; empty for other names.
std::string refusal_of(const std::string& flag);

}  // namespace rondo::tool
