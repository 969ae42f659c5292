// Takes out of an ONNX model what none of its outputs needs.
#pragma once

#include <string>
#include <vector>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// What was taken out.
struct UnneededParts {
    std::vector<std::string> nodes;         ///< "'labels' (LabelEncoder)"
    std::vector<std::string> initializers;  ///< "'vocabulary'"
    std::vector<std::string> inputs;        ///< "'sentence'"

    bool empty() const { return nodes.empty() && initializers.empty() && inputs.empty(); }
};

/// Removes from the graph, its bodies and the functions that it calls each node of whose outputs
/// none is needed, and each initializer that nothing reads, with an input of that name. Needed are
/// outputs of the graph, what a needed node or its bodies read, and outputs of a body or function
/// that make a needed output of the node. Outputs of If, Loop and Scan that nothing needs are taken
/// out, too, with the loop-carried values for them. What a removed part holds is never looked at:
/// its operator, its attributes, its type. Inputs of the model stay, unless their type is one that
/// Rondo can't hold. The other nodes keep their order; those without a name get the one that
/// messages show, which counts the removed ones. Throws ModelError if two functions have one
/// name.
UnneededParts remove_unneeded(rondo_onnx::ModelProto& model);

/// "left out, since no output needs them: 2 nodes: 'a' (Foo), 'b' (Constant); 1 initializer: 'w'";
/// at most 20 names each.
std::string text_of(const UnneededParts& parts);

}  // namespace rondo::onnx
