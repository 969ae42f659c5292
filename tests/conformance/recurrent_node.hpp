// One LSTM, GRU or RNN node of ONNX with all its attributes, and its input tensors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::test {

/// The source of an input's values.
enum class Source {
    omitted,
    constant,  ///< an initializer
    input,     ///< an input of the model
    computed   ///< an input of the model with its sign changed, which a node changes back
};

struct NodeInput {
    Source source = Source::omitted;
    Tensor value;  ///< empty for an omitted one
    explicit operator bool() const { return source != Source::omitted; }
};

/// Places of the inputs, as ONNX numbers them.
enum InputIndex : std::size_t { kX, kW, kR, kB, kLengths, kInitialH, kInitialC, kP, kInputCount };

inline constexpr std::array<const char*, kInputCount> kInputNames = {
    "X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"};

/// Attributes that are absent are left out of the node.
struct RecurrentNode {
    std::string op_type = "LSTM";  ///< "LSTM", "GRU" or "RNN"
    std::int64_t opset = 22;
    ElementType type = ElementType::f32;
    std::size_t t = 5, n = 3, i = 4, h = 6;
    std::string direction = "forward";
    bool says_direction = true;  ///< "forward" may be left out
    bool says_hidden_size = true;
    bool layout = false;
    std::optional<float> clip;
    std::optional<bool> input_forget;
    std::optional<bool> linear_before_reset;
    std::optional<bool> output_sequence;  ///< of opsets 1 to 6
    std::vector<std::string> activations;
    std::vector<float> alpha;
    std::vector<float> beta;
    std::array<NodeInput, kInputCount> inputs;
    std::array<bool, 3> outputs = {true, true, true};  ///< Y, Y_h and, of an LSTM, Y_c
    bool names_omitted = false;  ///< trailing omitted inputs and outputs are present without a name
    bool open_extents = false;   ///< T and N are not known before the run

    bool is_lstm() const { return op_type == "LSTM"; }
    bool is_gru() const { return op_type == "GRU"; }
    std::size_t directions() const { return direction == "bidirectional" ? 2 : 1; }
    std::size_t gates() const { return is_lstm() ? 4 : is_gru() ? 3 : 1; }
    /// Activation functions a direction.
    std::size_t functions() const { return is_lstm() ? 3 : is_gru() ? 2 : 1; }
    std::size_t input_count() const { return is_lstm() ? kInputCount : kInitialC; }
    std::size_t output_count() const { return is_lstm() ? 3 : 2; }

    /// The shape of an input: X [T,N,I], states [D,N,H], with layout [N,T,I] and [N,D,H].
    Shape input_shape(std::size_t index) const;
    /// Y [T,D,N,H], Y_h and Y_c [D,N,H]; with layout [N,T,D,H] and [N,D,H].
    Shape output_shape(std::size_t index) const;

    /// What this node uses, a word or two each: "clip", "layout=1", "B run time".
    std::vector<std::string> tags() const;
    /// The sizes and the tags, in a line.
    std::string describe() const;
};

}  // namespace rondo::test
