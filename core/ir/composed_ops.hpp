// OpenVINO's ops that become small graphs of other ops when a file is read.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/composition.hpp"

namespace rondo::ir {

/// Makes the graph of a layer; returns its last node, named as the layer, whose output 0 is the
/// layer's. Throws ModelError and UnsupportedError without the layer's place.
using Compose = NodePtr (*)(ComposedLayer& layer);

/// How an op becomes such a graph; null for other ops. `opset`: as a layer says it, "opset4".
Compose find_composed(std::string_view type, std::string_view opset);

/// All of them, sorted by name, then opset.
std::vector<OpType> composed_op_types();

}  // namespace rondo::ir
