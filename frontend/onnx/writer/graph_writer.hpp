// Writes graphs as ONNX messages.
#pragma once

#include "core/graph/graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// Fills the message; f32 and f64 constants are stored as `weights`, unless that is f32. Throws
/// UnsupportedError that names each node that ONNX can't say, and why.
void write_model(const Graph& graph, ElementType weights, rondo_onnx::ModelProto& model);

}  // namespace rondo::onnx
