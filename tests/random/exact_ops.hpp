// Which values of a random model have the same bits on every device.
#pragma once

#include <rondo_onnx.pb.h>

#include <set>
#include <string>

namespace rondo::test {

/// Whether the operator, of exact inputs, gives the same bits on every device: it moves elements,
/// compares, works on integers, or rounds one operation of floats as IEEE 754 says.
bool keeps_exactness(const std::string& op);

/// Whether the operator reads the shape of its input alone.
bool reads_shape_alone(const std::string& op);

/// The exact values of a graph, by name, without those in bodies: inputs, initializers and what
/// operators that keep exactness make of exact values. Nothing that a node with bodies makes.
std::set<std::string> exact_values(const rondo_onnx::GraphProto& graph);

}  // namespace rondo::test
