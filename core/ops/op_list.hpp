// All ops there are, by type and opset: how the readers make a node from its name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"

namespace rondo::ops {

struct OpEntry {
    const OpType* type;
    NodePtr (*make_type)(const OpType& type);

    /// The op with default attributes, no inputs, not validated.
    NodePtr make() const { return make_type(*type); }
};

/// Every op, sorted by name, then opset.
std::span<const OpEntry> op_list();

/// The op of that type (any case) in that opset: the newest form that is not newer than the opset.
/// `opset` is "opset1", "opset13" ... or "rondo1". Null if there is none.
const OpEntry* find_op(std::string_view type, std::string_view opset);

/// For a node that has its inputs and isn't validated yet: if an input has another form than
/// port_forms() says and its elements fit one that it says, a Reshape or a Convert to i64 comes
/// before it, or a constant in its place. `name` gives a name for a new node at that port. What
/// fits no form stays, for inference to refuse.
void adopt_ports(Node& node, FunctionRef<std::string(std::string_view port)> name);

}  // namespace rondo::ops
