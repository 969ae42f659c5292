// All ops there are, by type and opset: how the readers make a node from its name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/node.hpp"

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
/// `opset` is "opset1", "opset13" ... or "rondo1". Null where there is none.
const OpEntry* find_op(std::string_view type, std::string_view opset);

}  // namespace rondo::ops
