// Gives nodes that readers and passes have made the origins that they lack.
#pragma once

#include <span>

#include "core/graph/graph.hpp"

namespace rondo {

/// Gives it to the nodes of the values, and to nodes before them up to those that have one. A value
/// may be empty.
void give_origin(std::span<const Output> values, const NodeOriginPtr& origin);
void give_origin(const Output& value, const NodeOriginPtr& origin);

/// `made` takes another node's name, and its origin.
void stand_for(Node& made, const Node& other);

/// Nodes without an origin, also those of bodies, are of the user's file.
void claim_origins(Graph& graph);
/// Nodes without an origin, also those of bodies, get that of a node that reads them, or else of
/// one that they read, or else of the node whose body they are in.
void inherit_origins(Graph& graph);

}  // namespace rondo
