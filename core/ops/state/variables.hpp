// The variables of a graph: the nodes that read and assign each, and checks that they fit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/state/assign.hpp"
#include "core/ops/state/read_value.hpp"

namespace rondo::ops {

/// A variable: its two nodes, which share an id.
struct Variable {
    std::string id;
    std::shared_ptr<ReadValueBase> read;
    std::shared_ptr<AssignBase> assign;

    ElementType type() const { return read->output_type(0); }
    /// All its values have this shape.
    const PartialShape& shape() const { return read->output_shape(0); }
};

/// In the order of the graph's sinks. Throws ModelError naming the node unless each variable has
/// exactly one ReadValue and one Assign, which agree in type and shape; UnsupportedError for a sink
/// that isn't an Assign.
std::vector<Variable> variables_of(const Graph& graph);

/// Throws ModelError naming the node unless a variable that `read_value` reads may start from an
/// init input of this shape.
void check_init(const Node& read_value, const Shape& shape);

}  // namespace rondo::ops
