// Weights of recurrent ops in ONNX's order of gates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/onnx/writer/context/write_context.hpp"

namespace rondo::onnx {

/// Stands for a block of zeros.
inline constexpr int kZeros = -1;

/// Which blocks of an input make up a tensor of ONNX's.
struct GateBlocks {
    std::size_t input = 0;
    std::size_t count = 1;        ///< blocks of the input along its axis of gates
    std::vector<int> order = {};  ///< their numbers, or kZeros
};

/// The blocks in that order, with an axis of directions in front (`is_cell`: the input has none).
/// Constant weights are put in order in the file, others by nodes.
std::string ordered_gates(WriteContext& context, const GateBlocks& blocks, bool is_cell);

/// Whether an input never is anything else than zeros (and not -0).
bool is_zero(const WriteContext& context, std::size_t input);

}  // namespace rondo::onnx
