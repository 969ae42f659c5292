// The nodes of a model with one layer, for tests of drawings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

//  x --> LSTMSequence "a<b" --> y, with weights that are computed from a constant
inline std::vector<NodeInfo> layer_nodes() {
    const PortInfo port{{"p"}, ElementType::f32, PartialShape::parse("1,?")};
    NodeInfo x{"x", "Parameter", "opset1", {}, {}, {port}, 0};
    NodeInfo w{"w", "Const", "opset1", {}, {}, {port}, 8};
    NodeInfo split{"parts of w", "Split", "opset1", {}, {{1, 0}}, {port}, 0};
    const std::vector<std::pair<std::string, std::string>> size = {{"hidden_size", "4"}};
    NodeInfo lstm{"a<b", "LSTMSequence", "opset5", size, {{0, 0}, {0, 0}, {2, 0}}, {port}, 0};
    NodeInfo y{"y", "Result", "opset1", {}, {{3, 0}}, {port}, 0};
    return {x, w, split, lstm, y};
}

}  // namespace rondo::tool
