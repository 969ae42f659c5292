#include "transformations/pass/node_roles.hpp"

#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"

namespace rondo::passes {

bool is_parameter(const Node& node) { return as_op<ops::Parameter>(node) != nullptr; }
bool is_result(const Node& node) { return as_op<ops::Result>(node) != nullptr; }
bool is_constant(const Node& node) { return as_op<ops::Constant>(node) != nullptr; }
bool reads_variable(const Node& node) { return as_op<ops::ReadValueBase>(node) != nullptr; }
bool writes_variable(const Node& node) { return as_op<ops::AssignBase>(node) != nullptr; }

}  // namespace rondo::passes
