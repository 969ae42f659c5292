// One op of the IR: its name, and what writes it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::onnx {

class WriteContext;

/// Names of values in the file.
using Names = std::vector<std::string>;

/// Writes the ONNX nodes that do what a node says, and returns the names of its outputs. Throws
/// UnsupportedError where ONNX can't say it; the caller adds the node's name.
using NodeWriter = Names (*)(WriteContext& context);

struct OpWriter {
    std::string_view type;  ///< the op's name in the IR, in all opsets
    NodeWriter write = nullptr;
};

}  // namespace rondo::onnx
