// The functions that an ONNX model brings with it, and the nodes that replace a call of one.
#pragma once

#include <rondo_onnx.pb.h>

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "core/support/unique_names.hpp"

namespace rondo::onnx {

/// A model's functions. They take precedence over operators of the same name, as ONNX says.
class LocalFunctions {
public:
    /// Throws ModelError if two functions have one name. `model` must outlive this object.
    explicit LocalFunctions(const rondo_onnx::ModelProto& model);

    /// The function that the node calls, or null.
    const rondo_onnx::FunctionProto* find(const rondo_onnx::NodeProto& node) const;

    /// The function's nodes as the call has them, in a graph of nodes alone: tensors that go in and
    /// out have the caller's names, attributes that refer to the function's have the caller's
    /// values or the function's defaults, and all other tensors, those of bodies too, and nodes
    /// have names of the form "<call_name>/...", which no other tensor has. Throws ModelError if
    /// the call has more inputs or outputs than the function, or attributes that it doesn't know.
    rondo_onnx::GraphProto inlined(const rondo_onnx::FunctionProto& function,
                                   const rondo_onnx::NodeProto& call, const std::string& call_name);

private:
    using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
    std::map<Key, const rondo_onnx::FunctionProto*> functions_;
    UniqueNames tensors_;  ///< of the graph, if there are functions, and of calls so far
};

/// The nodes of a function or of a body, those of all bodies in it as well.
std::size_t node_count(const rondo_onnx::FunctionProto& function);
std::size_t node_count(const rondo_onnx::GraphProto& body);

}  // namespace rondo::onnx
