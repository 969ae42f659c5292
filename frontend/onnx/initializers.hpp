// The initializers of a graph: their names, and the values that have been read.
#pragma once

#include <map>
#include <string>

#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

class Initializers {
public:
    /// Takes the names, of sparse ones too.
    explicit Initializers(const rondo_onnx::GraphProto& graph);

    bool contains(const std::string& name) const { return values_.contains(name); }

    /// Notes the value of one of them. False where the name has the same value already: tools that
    /// join models write an initializer of both twice. Throws ModelError where it has another.
    bool add(const std::string& name, const Tensor& value);

private:
    std::map<std::string, Tensor> values_;  // empty handles until they are added
};

}  // namespace rondo::onnx
