// Writes graphs as ONNX messages.
#pragma once

#include "core/graph/graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

class ExternalWeights;

/// Where constants go, and as what.
struct ConstantsForm {
    ElementType weights = ElementType::f32;  ///< f16 or bf16: of f32 and f64 constants
    ExternalWeights* external = nullptr;     ///< takes the larger ones, if there is one
};

/// Fills the message. Throws UnsupportedError that names each node that ONNX can't say, and why.
void write_model(const Graph& graph, const ConstantsForm& form, rondo_onnx::ModelProto& model);

}  // namespace rondo::onnx
