// Kinds of nodes that several reports ask about.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "rondo/model.hpp"

namespace rondo::tool {

/// A recurrent layer or cell.
inline bool is_recurrent(const NodeInfo& node) {
    constexpr std::array<std::string_view, 6> kTypes = {
        "LSTMSequence", "GRUSequence", "RNNSequence", "LSTMCell", "GRUCell", "RNNCell"};
    return std::find(kTypes.begin(), kTypes.end(), node.type) != kTypes.end();
}

/// Neither a constant nor an input or output of the model.
inline bool is_operation(const NodeInfo& node) {
    return node.type != "Const" && node.type != "Parameter" && node.type != "Result";
}

}  // namespace rondo::tool
