// Properties of the device as the command line gives them.
#pragma once

#include "arguments.hpp"
#include "rondo/properties.hpp"

namespace rondo::tool {

/// Throws ModelError for text that isn't NAME=VALUE, and for a name that is given twice.
Properties parse_properties(const PropertyOptions& options);

}  // namespace rondo::tool
