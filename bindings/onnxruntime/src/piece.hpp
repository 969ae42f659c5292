// Nodes of a graph as ONNX messages, with the constants that they use.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/compiled_part.hpp"
#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/wire.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ort {

struct Piece {
    std::vector<Message> nodes;                ///< NodeProtos, in order
    std::map<std::string, Message> constants;  ///< TensorProtos by name, outer ones included
    std::map<std::string, Tensor> files;       ///< their external data, by location
};

/// What nodes were made of that onnxruntime has put in place of claims. It asks for a body before
/// the graphs around it, and doesn't show those: a node that is claimed with its body later may
/// hold such a node, and is compiled with what that was made of.
class FusedPieces {
public:
    /// `node`: what runs it until a node around it is claimed.
    void add(const std::string& op, Piece piece, FusedNode& node);
    /// Marks the nodes, here and in bodies, that have taken the place of pieces.
    void mark(HostGraph& graph) const;
    /// Null for any other node.
    const Piece* find(const HostNode& node) const;
    /// The nodes inside the bodies of this one won't run: their models are freed.
    void release_inside(const HostNode& node);
    /// No graph is left that could be around a node of these.
    void clear() { fused_.clear(); }
    /// A name for an external file that no other piece has.
    std::string new_location() { return "weights_" + std::to_string(locations_++); }

private:
    struct Fused {
        Piece piece;
        FusedNode* node;
    };
    std::map<std::string, Fused> fused_;  // by operator, whose name is used once
    std::size_t locations_ = 0;
};

}  // namespace rondo::ort
