// All ONNX operators there are, and since which opset each converter holds.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::onnx {

class NodeContext;

/// Makes the nodes that do what an ONNX node says, and returns its outputs in ONNX's order. One
/// that is left empty can't be read by anybody. Throws ModelError or UnsupportedError; who calls
/// it adds the place.
using Converter = std::vector<Output> (*)(NodeContext& context);

struct OpEntry {
    std::string_view domain;  ///< "" is ONNX's own
    std::string_view name;
    std::int64_t since;  ///< the first opset in which the operator means what the converter does
    Converter convert;
};

/// Every entry, sorted by name, then version.
std::span<const OpEntry> op_list();

/// The newest entry that is not newer than the model's opset, or null.
const OpEntry* find_converter(std::string_view domain, std::string_view name, std::int64_t opset);

}  // namespace rondo::onnx
