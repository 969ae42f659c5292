// Properties of the device as the command line gives them.
#pragma once

#include <string>

#include "arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/properties.hpp"

namespace rondo::tool {

/// False for properties of OpenVINO's that mean nothing here (bindings/openvino/README.md).
bool has_effect(const std::string& property);

/// The line of the standard error that says so of a property.
void note_without_effect(const std::string& property);

/// Those that have an effect. Throws ModelError for text that isn't NAME=VALUE, and for a name that
/// is given twice.
Properties parse_properties(const PropertyOptions& options);

/// A Core that has the devices of the plugins, and reads models by KEEP_INPUTS and the limits among
/// the properties (MAX_NODES and others). Notes properties that have no effect.
Core core_for(const PropertyOptions& options);

}  // namespace rondo::tool
