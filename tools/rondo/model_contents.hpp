// What a model consists of, with the bodies of If, Loop and TensorIterator: counts, constants,
// layers.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// One graph's nodes, and what stands before their names in reports: "" or "if/then_body/".
using VisitNodes =
    std::function<void(const std::vector<NodeInfo>& nodes, const std::string& place)>;

/// Visits the model's nodes, then those of each body at any depth.
void visit_graphs(const std::vector<NodeInfo>& nodes, const VisitNodes& visit);

/// All nodes, constants and ports included.
std::size_t count_nodes(const std::vector<NodeInfo>& nodes);

struct OpCounts {
    std::map<std::string, std::size_t> by_type;
    std::size_t once = 0;    ///< on constants alone, which are not in by_type
    std::size_t bodies = 0;  ///< whose operations are among them
};

OpCounts count_ops(const std::vector<NodeInfo>& nodes);

/// By element type; elements that several constants share count once.
std::map<std::string, std::size_t> constant_bytes(const std::vector<NodeInfo>& nodes);

/// A recurrent layer's table row. I is the last extent of W, H the last of the output.
struct LayerSummary {
    std::string name;  ///< with its place: "if/then_body/lstm"
    std::string type;
    std::string direction;
    std::string input_size;
    std::string hidden_size;
    std::string notes;
};

std::vector<LayerSummary> recurrent_layers(const std::vector<NodeInfo>& nodes);

}  // namespace rondo::tool
