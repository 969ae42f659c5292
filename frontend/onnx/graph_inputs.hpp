// The inputs and initializers of an ONNX graph: the parameters and constants that they become.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/context/body_graph.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// As the input is declared. Throws UnsupportedError for what is no tensor.
std::shared_ptr<ops::Parameter> make_parameter(const rondo_onnx::ValueInfoProto& input);

/// An input of a body, with the type and shape that it gets. Throws ModelError if its
/// declaration contradicts the type.
std::shared_ptr<ops::Parameter> make_body_parameter(const rondo_onnx::ValueInfoProto& input,
                                                    const BodyValue& value);

/// Notes what the declaration of a body's input says of the tensors of a sequence.
void note_declaration(const rondo_onnx::ValueInfoProto& input, const SequenceForm& form);

class Initializers {
public:
    /// Takes the names, of sparse ones too.
    explicit Initializers(const rondo_onnx::GraphProto& graph);

    bool contains(const std::string& name) const { return values_.contains(name); }

    /// Notes the value of one of them. False if the name has the same value already: tools that
    /// join models write an initializer of both twice. Throws ModelError if it has another.
    bool add(const std::string& name, const Tensor& value);

private:
    std::map<std::string, Tensor> values_;  // empty handles until they are added
};

/// From version 4 of the file format on, an input of the graph that has an initializer is one that
/// a caller may give, with a default; before, every initializer had to be among the inputs.
/// `keep` removes the initializers of such inputs, so that each inference needs them. Else they
/// become constants, and the message's properties name them (kConstantInputs).
void settle_inputs(rondo_onnx::ModelProto& model, bool keep);

}  // namespace rondo::onnx
