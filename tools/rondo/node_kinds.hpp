// Kinds of nodes that several reports ask about.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

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
