// `rondo info --why NODE`: what the passes made of a node.
#pragma once

#include <string>

#include "arguments.hpp"

namespace rondo::tool {

struct WhyOptions {
    std::string model;
    std::string node;  ///< of the model, of a body as in "loop/add", or one that a pass made
    std::string device;
    PropertyOptions properties;
    std::string data_shape = {};  ///< shapes to give the inputs first; empty: as they are
};

/// Prints a line for each pass that made, replaced or removed the node, what keeps a loop from
/// becoming a sequence, and how the device runs it. Throws ModelError naming some nodes there are
/// where none has the name. Returns the exit code.
int why(const WhyOptions& options);

}  // namespace rondo::tool
