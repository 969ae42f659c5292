// The parameters that inputs of an ONNX graph become.
#pragma once

#include <memory>

#include "core/ops/source/parameter.hpp"
#include "frontend/onnx/context/body_graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// As the input is declared. Throws UnsupportedError for what is no tensor.
std::shared_ptr<ops::Parameter> make_parameter(const rondo_onnx::ValueInfoProto& input);

/// An input of a body, with the type and shape that it gets. Throws ModelError where its
/// declaration contradicts the type.
std::shared_ptr<ops::Parameter> make_body_parameter(const rondo_onnx::ValueInfoProto& input,
                                                    const BodyValue& value);

/// Notes what the declaration of a body's input says of the tensors of a sequence.
void note_declaration(const rondo_onnx::ValueInfoProto& input, const BodyValue& value);

}  // namespace rondo::onnx
