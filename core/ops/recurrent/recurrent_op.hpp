// The recurrent ops: one step, or a sequence of them, of LSTM, GRU and RNN.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/recurrent/functions.hpp"

namespace rondo::ops {

/// By name in any case of letters ("LeakyRelu", "leakyrelu"), or nothing.
std::optional<ActivationKind> activation_from_string(std::string_view name);
/// True for those that OpenVINO's own sequence ops can run: sigmoid, tanh, relu.
bool is_standard(ActivationKind kind);

/// Names with their alphas and betas, which the functions that have them take in order;
/// past a list's end they have the defaults of the ONNX operators (LeakyRelu 0.01, ThresholdedRelu
/// 1, Elu 1, HardSigmoid 0.2 / 0.5, Affine 1 / 0, ScaledTanh 1 / 1). Entries that are left over say
/// nothing: exporters write some for sigmoid and tanh. `prefix`: the lists' name in the user's
/// format, before "_alpha" and "_beta". Throws ModelError for an unknown name (listing the known
/// ones), or if a function takes a NaN.
std::vector<ActivationFunction> resolve_activations(const std::vector<std::string>& names,
                                                    const std::vector<float>& alpha,
                                                    const std::vector<float>& beta,
                                                    const std::string& prefix = "activations");

/// Removes the entries that resolve_activations() leaves over, unless a name is unknown.
void drop_unused_parameters(const std::vector<std::string>& names, std::vector<float>& alpha,
                            std::vector<float>& beta);

/// The value at x, computed in double.
double apply(const ActivationFunction& function, double x);

inline constexpr std::size_t kRankOfX = 3;      ///< of X [N,T,I]
inline constexpr std::size_t kTimeAxisOfY = 2;  ///< of Y [N,D,T,H]

/// Attributes as the IR has them; those that an op doesn't have keep their defaults.
struct RecurrentAttributes {
    std::int64_t hidden_size = 0;              ///< 0: follows R (then the op is written as rondo1)
    Direction direction = Direction::forward;  ///< sequences only
    /// One set for both directions, or one set a direction (then the op is written as rondo1).
    /// Empty means the cell's defaults: LSTM sigmoid tanh tanh; GRU sigmoid tanh; RNN tanh.
    std::vector<std::string> activations = {};
    std::vector<float> activations_alpha = {};
    std::vector<float> activations_beta = {};
    float clip = 0;  ///< bounds each gate's pre-activation to [-clip, clip]; 0: not
    bool linear_before_reset = false;  ///< GRU only
    bool input_forget = false;         ///< LSTM only, rondo1: f = 1 - i
};

/// Base of LSTMSequence, GRUSequence, RNNSequence, LSTMCell, GRUCell and RNNCell.
///
/// N batch, T time, D directions (1 or 2), I input size, H hidden size; G gates: LSTM 4 (fico),
/// GRU 3 (zrh), RNN 1. Sequence inputs, in port order: X [N,T,I], H0 [N,D,H], C0 [N,D,H] (LSTM),
/// lengths [N] (i32 or i64), W [D,G*H,I], R [D,G*H,H], B [D,G*H] ([D,4H] for GRU with
/// linear_before_reset: z, r, Wbh, Rbh), P [D,3H] (LSTM, optional, rondo1; order fio).
/// Outputs: Y [N,D,T,H], Ho [N,D,H], Co [N,D,H] (LSTM).
/// Cell inputs: X [N,I], H [N,H], C [N,H] (LSTM), W [G*H,I], R [G*H,H], B [G*H] ([4H]), P [3H]
/// (LSTM, optional, rondo1). Outputs: Ho [N,H], Co [N,H] (LSTM).
/// X, the states and the weights share one floating type, which is that of the outputs.
/// A row of length 0 gives zero Y, Ho and Co; if T itself is 0, Ho and Co are H0 and C0.
class RecurrentOp : public Node {
public:
    using Node::Node;

    virtual CellType cell_type() const = 0;
    virtual bool is_sequence() const = 0;
    CellKind cell_kind() const;

    const RecurrentAttributes& attributes() const { return attributes_; }
    /// Brings activations into the IR's form: defaults written out, known names in lower case, a
    /// second direction's set dropped if it equals the first and no alpha or beta is given.
    void set_attributes(RecurrentAttributes attributes);

    /// H by the attribute, or as the inputs' shapes have it; 0 while neither says it.
    std::int64_t hidden_size() const;

    std::size_t num_directions() const;
    /// 4, 3 or 1.
    std::size_t gate_count() const;
    /// Width of B in units of H: gate_count(), or 4 for GRU with linear_before_reset.
    std::size_t bias_gate_count() const;

    /// Ports; the ones that an op doesn't have return npos.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t x_port() const { return 0; }
    std::size_t h_port() const { return 1; }
    std::size_t c_port() const;
    std::size_t lengths_port() const;
    std::size_t w_port() const;
    std::size_t r_port() const { return w_port() + 1; }
    std::size_t b_port() const { return w_port() + 2; }
    /// npos if the node has no peepholes.
    std::size_t p_port() const;

    /// One function a gate kind for each direction: LSTM f, g, h; GRU f, g; RNN f.
    /// `resolved_activations()[direction][i]`. Throws ModelError naming the node.
    std::vector<std::vector<ActivationFunction>> resolved_activations() const;

    /// Throws ModelError naming the node, the row and the value unless each length is in [0, T];
    /// T may be Dimension::kInfinity.
    void check_lengths(std::span<const std::int64_t> lengths, std::int64_t time_steps) const;

    /// True if OpenVINO's op of this name says the same; else it is written as rondo1.
    bool is_standard() const;

    static void visit_attributes(RecurrentOp& op, AttributeReader& reader);
    static void visit_attributes(const RecurrentOp& op, AttributeWriter& writer);
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;

private:
    void normalize_activations();

    RecurrentAttributes attributes_;
};

/// The ops below differ in their cells, and in whether they walk over steps: see RecurrentOp.
template <typename Derived, CellType cell, bool sequence>
class RecurrentForm : public Clonable<Derived, RecurrentOp> {
public:
    using Clonable<Derived, RecurrentOp>::Clonable;

    const OpType& op_type() const override {
        return this->is_standard() ? Derived::kType : Derived::kRondoType;
    }
    CellType cell_type() const override { return cell; }
    bool is_sequence() const override { return sequence; }
};

class GRUCell final : public RecurrentForm<GRUCell, CellType::gru, false> {
public:
    static constexpr OpType kType{"GRUCell", 3};
    static constexpr OpType kRondoType{"GRUCell", 0};
    using RecurrentForm::RecurrentForm;
};

class GRUSequence final : public RecurrentForm<GRUSequence, CellType::gru, true> {
public:
    static constexpr OpType kType{"GRUSequence", 5};
    static constexpr OpType kRondoType{"GRUSequence", 0};
    using RecurrentForm::RecurrentForm;
};

class LSTMCell final : public RecurrentForm<LSTMCell, CellType::lstm, false> {
public:
    static constexpr OpType kType{"LSTMCell", 4};
    /// The older form; reading it makes this op.
    static constexpr OpType kOpset1{"LSTMCell", 1};
    static constexpr OpType kRondoType{"LSTMCell", 0};
    using RecurrentForm::RecurrentForm;
};

class LSTMSequence final : public RecurrentForm<LSTMSequence, CellType::lstm, true> {
public:
    static constexpr OpType kType{"LSTMSequence", 5};
    static constexpr OpType kRondoType{"LSTMSequence", 0};
    using RecurrentForm::RecurrentForm;
};

class RNNCell final : public RecurrentForm<RNNCell, CellType::rnn, false> {
public:
    static constexpr OpType kType{"RNNCell", 1};
    static constexpr OpType kRondoType{"RNNCell", 0};
    using RecurrentForm::RecurrentForm;
};

class RNNSequence final : public RecurrentForm<RNNSequence, CellType::rnn, true> {
public:
    static constexpr OpType kType{"RNNSequence", 5};
    static constexpr OpType kRondoType{"RNNSequence", 0};
    using RecurrentForm::RecurrentForm;
};

}  // namespace rondo::ops
