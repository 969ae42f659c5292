// The properties that limit what a model may ask for.
#pragma once

#include <string>

#include "core/support/limits.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// Each with its default.
Properties limit_properties();

/// False where the property is no limit. Throws ModelError where the value doesn't fit.
bool check_limit(const std::string& name, const std::string& value);

/// The limits among the properties, the defaults for the others.
ModelLimits limits_of(const Properties& properties);

}  // namespace rondo
