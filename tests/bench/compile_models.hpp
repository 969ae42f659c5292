// ONNX models of recurrent layers with random weights, for benchmarks of reading and compiling.
#pragma once

#include <cstdint>
#include <string>

namespace rondo::cpu::bench {

/// Layers of one kind, each reading what the one before it wrote.
struct ModelSizes {
    const char* op = "LSTM";  ///< or GRU
    std::int64_t layers = 1;
    std::int64_t hidden = 0;  ///< of each layer and direction
    std::int64_t input = 0;
    bool both_directions = false;
};

/// The model as a file would hold it; X is [T=100, N=1, input].
std::string onnx_model(const ModelSizes& sizes);

}  // namespace rondo::cpu::bench
