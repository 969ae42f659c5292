// Brings inputs that a file gives in a looser form into the one that OpenVINO's ops want.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"

namespace rondo::ops {

/// For a node that has its inputs and isn't validated yet: where an input has another form than
/// port_forms() says and its elements fit one that it says, a Reshape or a Convert to i64 comes
/// before it, or a constant in its place. `name` gives a name for a new node at that port. What
/// fits no form stays, for inference to refuse.
void adopt_ports(Node& node, FunctionRef<std::string(std::string_view port)> name);

}  // namespace rondo::ops
