// Faults of a device that doesn't exist, for the tests of the minimiser.
#pragma once

#include <rondo_onnx.pb.h>

#include <functional>
#include <string>

#include "tests/random/minimise/minimise.hpp"

namespace rondo::test {

/// A node, and its place.
struct PlacedNode {
    const rondo_onnx::NodeProto& node;
    const rondo_onnx::GraphProto& graph;
    std::string owner;  ///< the operator whose body the graph is; empty for the model's graph
};

/// Whether the fault is in this node.
using IsFaulty = std::function<bool(const PlacedNode&)>;

/// The difference between REFERENCE and a device that takes faulty nodes for nodes of type `other`,
/// without attributes.
Failure fault_in(IsFaulty is_faulty, std::string other);

/// The number of nodes of its graph that the node depends on.
std::size_t nodes_before(const PlacedNode& placed);

/// The random models of the first `count` seeds that fail.
std::vector<RandomModel> failing_models(const Failure& failure, std::size_t count);

}  // namespace rondo::test
