// LSTM, GRU and RNN in plain loops and in double, written from ONNX's text without code of the
// library.
#pragma once

#include <vector>

#include "tests/conformance/recurrent_node.hpp"

namespace rondo::test {

struct ReferenceResult {
    std::vector<Tensor> outputs;  ///< f64: Y, Y_h and, of an LSTM, Y_c, in the node's layout
    double largest = 0;           ///< magnitude of any state or activation
    /// The smallest distance of an input of a ThresholdedRelu from its jump, where no arithmetic is
    /// exact enough.
    double nearest_jump = 1e300;
};

/// By https://onnx.ai/onnx/operators/onnx__LSTM.html, onnx__GRU.html and onnx__RNN.html. What they
/// leave open: a row of length 0 gives zeros everywhere, and past a row's length Y is 0; with T = 0
/// the initial states come out; functions are those of the ONNX operators of their names.
ReferenceResult onnx_reference(const RecurrentNode& node);

}  // namespace rondo::test
