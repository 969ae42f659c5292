// The tensors that nodes of a graph can read, by their ONNX names.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::onnx {

class Scope {
public:
    Scope() = default;
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    /// Lets go of consumers before their producers, so that a chain of any length needs no deep
    /// stack to die.
    ~Scope();

    /// Throws ModelError where the name is empty or taken.
    void define(const std::string& name, const Output& value);
    /// The tensor, or an empty Output.
    Output find(const std::string& name) const;

private:
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<Output> values_;  // in the order of definition
};

}  // namespace rondo::onnx
