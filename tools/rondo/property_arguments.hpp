// Properties of the device as the command line gives them.
#pragma once

#include "arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/properties.hpp"

namespace rondo::tool {

/// Throws ModelError for text that isn't NAME=VALUE, and for a name that is given twice.
Properties parse_properties(const PropertyOptions& options);

/// A Core that has the devices of the plugins, and reads models within the limits among the
/// properties (MAX_NODES and others).
Core core_for(const PropertyOptions& options);

}  // namespace rondo::tool
