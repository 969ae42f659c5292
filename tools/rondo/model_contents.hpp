// What a model consists of, with the bodies of If, Loop and TensorIterator: counts, constants,
// layers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// One graph's nodes, and the prefix of their names in reports: "" or "if/then_body/".
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

/// A recurrent layer or cell.
inline bool is_recurrent(const NodeInfo& node) {
    constexpr std::array<std::string_view, 6> kTypes = {
        "LSTMSequence", "GRUSequence", "RNNSequence", "LSTMCell", "GRUCell", "RNNCell"};
    return std::find(kTypes.begin(), kTypes.end(), node.type) != kTypes.end();
}

/// The number of the input W of a recurrent layer or cell, whose last extent is I.
inline std::size_t weights_port(const NodeInfo& node) {
    const std::size_t states = node.type.starts_with("LSTM") ? 2 : 1;
    const std::size_t lengths = node.type.ends_with("Sequence") ? 1 : 0;
    return 1 + states + lengths;
}

/// The value of an attribute; empty if the node has none of that name.
std::string attribute(const NodeInfo& node, const std::string& name);

/// Neither a constant nor an input or output of the model.
inline bool is_operation(const NodeInfo& node) {
    return node.type != "Const" && node.type != "Parameter" && node.type != "Result";
}

/// A value a node: constants, and operations on constants alone, which prepare weights. Compiling
/// computes them once.
inline std::vector<bool> computed_once(const std::vector<NodeInfo>& nodes) {
    std::vector<bool> once(nodes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& inputs = nodes[i].inputs;
        const bool from_constants =
            !inputs.empty() && is_operation(nodes[i]) &&
            std::all_of(inputs.begin(), inputs.end(),
                        [&](const auto& source) { return once[source.node]; });
        once[i] = nodes[i].type == "Const" || from_constants;
    }
    return once;
}

}  // namespace rondo::tool
