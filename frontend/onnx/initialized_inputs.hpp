// Inputs of an ONNX model that have initializers: defaults that a caller may replace.
#pragma once

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// From version 4 of the file format on, an input of the graph that has an initializer is one that
/// a caller may give, with a default; before, every initializer had to be among the inputs.
/// `keep` removes the initializers of such inputs, so that each inference needs them. Else they
/// become constants, and the message's properties name them (kConstantInputs).
void settle_inputs(rondo_onnx::ModelProto& model, bool keep);

}  // namespace rondo::onnx
