// Values of properties, read from text and checked; those that limit what a model may ask for, and
// graphs held to them.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// Throws ModelError: "property 'NAME': got 'value'; expected ...".
[[noreturn]] void refuse_value(const std::string& name, const std::string& value,
                               const std::string& expected);

/// YES or NO, whatever the case; also TRUE and FALSE. Throws ModelError for another value.
bool switch_of(const std::string& name, const std::string& value);

/// The switch's value among the properties; `otherwise` if it isn't there.
bool switch_of(const Properties& properties, const char* name, bool otherwise);

inline const char* switch_text(bool on) { return on ? "YES" : "NO"; }

/// Each with its default.
Properties limit_properties();

/// False if the property is no limit. Throws ModelError if the value doesn't fit.
bool check_limit(const std::string& name, const std::string& value);

/// The limits among the properties, the defaults for the others.
ModelLimits limits_of(const Properties& properties);

/// Throws UnsupportedError if the graph and its bodies have too many nodes, or too many bodies
/// are in each other; ModelError naming a constant that is too large.
void check_limits(const Graph& graph, const ModelLimits& limits);

/// From now on folding enlarges the constants of the graph and of its bodies no further, and their
/// loops run no more often.
void set_limits(Graph& graph, const ModelLimits& limits);

}  // namespace rondo
