// Reads the input of a fuzz target as a model: an ONNX message, one with external data
// (joined_files.hpp), or an IR with its weights (joined_ir.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/graph/graph.hpp"

namespace rondo::test {

/// Null where the bytes are refused as the user's mistake or as unsupported; any other exception is
/// our bug, and so is a file outside of the model's folder that it opens.
std::shared_ptr<Graph> read_input(const std::uint8_t* data, std::size_t size);

/// Asks which of its nodes can be read: an exception besides that of a broken model is our bug, and
/// so is a row without a reason.
void query_input(const std::uint8_t* data, std::size_t size);

/// Runs the portable passes, which check the graph each time and keep the limit of iterations that
/// all loops get; false where they refuse the graph.
bool put_through_passes(Graph& graph);

}  // namespace rondo::test
