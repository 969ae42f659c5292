// Reads the input of a fuzz target as a model: an ONNX message, or a joined IR (see joined_ir.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/graph/graph.hpp"

namespace rondo::test {

/// Null where the bytes are refused as the user's mistake or as unsupported; any other exception is
/// our bug.
std::shared_ptr<Graph> read_input(const std::uint8_t* data, std::size_t size);

/// Runs the portable passes, which check the graph each time; false where they refuse it.
bool put_through_passes(Graph& graph);

}  // namespace rondo::test
