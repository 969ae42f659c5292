// Writes a part of a graph of onnxruntime as an ONNX model that Rondo reads.
#pragma once

#include <map>
#include <string>

#include "bindings/onnxruntime/src/borrowed_constants.hpp"
#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/part_ports.hpp"
#include "bindings/onnxruntime/src/piece.hpp"

namespace rondo::ort {

/// For a query ports that are no tensors are left out.
enum class Purpose { query, compile };

/// Writes the nodes and their bodies in the order of the graph. Throws UnsupportedError that names
/// what ONNX can't say of a node, or a constant of texts. `borrowed` holds its large constants.
Piece write_piece(const Host& host, FusedPieces& fused, const HostGraph& graph,
                  const NodeList& part, BorrowedConstants& borrowed);

/// The piece as a ModelProto with these ports. Throws UnsupportedError that names a port which is
/// no tensor of numbers.
std::string write_model(const Piece& piece, const HostGraph& graph, const NodeList& part,
                        const PartPorts& ports, Purpose purpose);

/// Why the node can't be written; empty if it can.
std::string obstacle(const Host& host, FusedPieces& fused, const HostGraph& graph,
                     const HostNode& node);

}  // namespace rondo::ort
