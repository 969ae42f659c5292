// Graphs of the tests' own host, made of ONNX messages.
#pragma once

#include <memory>

#include "tests/unit/bindings/onnxruntime/stub/host_types.hpp"

namespace rondo::ort {

/// The main graph of a model. A value without a declared type is a tensor of f32 of an unknown
/// shape; one whose name begins with "sequence" is no tensor.
std::unique_ptr<OrtGraph> make_graph(const rondo_onnx::ModelProto& model);

/// Finds out which values of the graph and of those around it the bodies of its nodes use.
void set_implicit_inputs(OrtGraph& graph);

/// Frees the constants that no node of the graph or of its bodies reads.
void drop_unused_constants(OrtGraph& graph);

}  // namespace rondo::ort
