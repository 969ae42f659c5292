// One operator of ONNX: its name, its version, and what reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::onnx {

class NodeContext;

/// Makes the nodes that do what an ONNX node says, and returns its outputs in ONNX's order. An
/// output that is left empty can't be read. Throws ModelError or UnsupportedError; the caller adds
/// the place.
using Converter = std::vector<Output> (*)(NodeContext& context);

/// One converter serves later versions too, if those only add types or say the same in other
/// words; attributes that came later it reads from that opset on.
struct OpEntry {
    std::string_view domain;  ///< "" is ONNX's own
    std::string_view name;
    std::int64_t since;  ///< the first opset in which the operator means what the converter does
    Converter convert;
};

}  // namespace rondo::onnx
