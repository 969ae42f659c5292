// The ONNX frontend: turns a serialised ModelProto into a graph.
#pragma once

#include <memory>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo::onnx {

/// True for bytes that start like an ONNX message.
bool can_read(const ModelSource& source);

/// Throws ModelError or UnsupportedError naming file, node, operator and attribute; one message
/// names all unsupported operators of a model.
std::shared_ptr<Graph> read(const ModelSource& source);

}  // namespace rondo::onnx
