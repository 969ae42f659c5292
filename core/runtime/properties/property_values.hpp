// Values of properties, read from text and checked.
#pragma once

#include <string>

#include "rondo/properties.hpp"

namespace rondo {

/// Throws ModelError: "property 'NAME': got 'value'; expected ...".
[[noreturn]] void refuse_value(const std::string& name, const std::string& value,
                               const std::string& expected);

/// YES or NO, whatever the case; also TRUE and FALSE. Throws ModelError for another value.
bool switch_of(const std::string& name, const std::string& value);

/// The switch's value among the properties; `otherwise` where it isn't there.
bool switch_of(const Properties& properties, const char* name, bool otherwise);

inline const char* switch_text(bool on) { return on ? "YES" : "NO"; }

}  // namespace rondo
