// LSTM, GRU and RNN straight from ONNX's formulas, in ONNX's layouts: what converters must come to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/tensor.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {

/// One node with its inputs; empty tensors are omitted ones. All f32.
struct OnnxRecurrent {
    std::string op_type;  ///< "LSTM", "GRU" or "RNN"
    std::string direction = "forward";
    std::size_t t = 3, n = 2, i = 2, h = 3;
    float clip = 0;
    bool linear_before_reset = false;
    bool input_forget = false;
    bool layout = false;
    /// One set a direction; empty for the defaults.
    std::vector<std::vector<ops::ActivationFunction>> activations = {};
    /// x and the states in the layout that `layout` says.
    Tensor x = {}, w = {}, r = {}, b = {}, initial_h = {}, initial_c = {}, p = {};
    std::vector<std::int32_t> lengths = {};

    std::size_t directions() const { return direction == "bidirectional" ? 2 : 1; }
    std::size_t gates() const { return op_type == "LSTM" ? 4 : op_type == "GRU" ? 3 : 1; }
    std::size_t functions() const { return op_type == "LSTM" ? 3 : op_type == "GRU" ? 2 : 1; }
    Shape state_shape() const;

    /// Fills X, W and R, and with `all` the optional inputs too.
    void fill(Rng& rng, bool all);
    /// Y, Y_h and (LSTM) Y_c by the formulas of
    /// https://onnx.ai/onnx/operators/onnx__LSTM.html and its likes.
    std::vector<Tensor> expected() const;
    /// A model of this one node, with X, the states and the lengths as inputs.
    ModelBuilder model(std::int64_t opset = 14, bool weights_are_inputs = false) const;
    /// The model's inputs.
    std::vector<Tensor> inputs(bool weights_are_inputs = false) const;
    /// Reads, runs on every device and compares all outputs.
    void check(std::int64_t opset = 14, bool weights_are_inputs = false) const;
    /// The same for a model that was changed; its outputs are some of Y, Y_h and Y_c.
    void check_model(const ModelBuilder& model, const std::vector<Tensor>& inputs,
                     double cpu_tolerance = kTolerance) const;

private:
    static constexpr double kTolerance = 1e-5;
};

}  // namespace rondo::test
