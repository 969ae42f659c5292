#include "bindings/onnxruntime/src/piece.hpp"

#include <utility>

namespace rondo::ort {

void FusedPieces::add(const std::string& op, Piece piece, FusedNode& node) {
    fused_.insert_or_assign(op, Fused{std::move(piece), &node});
}

void FusedPieces::mark(HostGraph& graph) const {
    for (auto& node : graph.nodes) {
        node.is_taken = find(node) != nullptr;
        for (auto& body : node.bodies) mark(body.graph);
    }
}

const Piece* FusedPieces::find(const HostNode& node) const {
    const auto at = fused_.find(node.op);
    return at == fused_.end() ? nullptr : &at->second.piece;
}

void FusedPieces::release_inside(const HostNode& node) {
    for (const auto& body : node.bodies) {
        for (const auto& inner : body.graph.nodes) {
            release_inside(inner);
            const auto at = fused_.find(inner.op);
            if (at != fused_.end()) at->second.node->release();
        }
    }
}

}  // namespace rondo::ort
