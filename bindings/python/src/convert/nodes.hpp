// Nodes of graphs and their outputs, as Python code gives them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "bindings/python/src/convert/ports.hpp"
#include "rondo/graph_builder.hpp"

namespace rondo::python {

/// An output of a node as a Python object: rondo.Output. Types, shapes and names are those that it
/// had when the object was made.
struct NodePort : Port {
    GraphOutput output;
};

/// The port of a node's output.
NodePort port_of(const GraphOutput& output);

/// The output that a Node with one output or an Output is. Throws ModelError for a node with
/// several, and TypeError for anything else.
GraphOutput output_from(py::handle object);
/// The same of each element; of the object itself where it is no list or tuple.
std::vector<GraphOutput> outputs_from(py::handle object);

}  // namespace rondo::python
