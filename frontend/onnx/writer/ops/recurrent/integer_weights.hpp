// Layers of integers that ONNX can say: DynamicQuantizeLSTM of com.microsoft.
#pragma once

#include <optional>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// [D,4H,K] of i8, and scales: [D,4H,1] or [D,1,1].
struct IntegerMatrix {
    Tensor integers;
    Tensor scales;
};

struct IntegerWeights {
    IntegerMatrix w, r;
};

/// The integers of an LSTM sequence that may round rows to 8 bits, as Model::quantize() and the
/// reader of DynamicQuantizeLSTM store them: Convert(constant) * constant. Nothing for others.
std::optional<IntegerWeights> integer_weights(const ops::RecurrentOp& op);

/// Whether all that reads the node is written with what the node is made of.
bool is_taken_in(const Node& node);

}  // namespace rondo::onnx
