// Shared by LSTM, GRU and RNN: turns ONNX's layouts and defaults into the sequence ops'.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// direction, clip, activations, activation_alpha and activation_beta; hidden_size is 0 where it is
/// absent, and the reader then looks at R's shape. The activations hold one set for both directions
/// if ONNX's two are the same. Throws ModelError naming the attribute.
ops::RecurrentAttributes read_recurrent_attributes(NodeContext& by, ops::CellType cell);

/// The IR's gates fico as places in ONNX's iofc.
inline constexpr std::array<std::size_t, 4> kFromIofc = {2, 0, 3, 1};

/// What the operators of this family have in different places.
struct RecurrentSource {
    Output w;  ///< [D,G*H,I], gates in ONNX's order
    Output r;  ///< [D,G*H,H], gates in ONNX's order
    bool batch_first = false;
    bool gates_ordered = false;  ///< W and R have the IR's order of gates instead
    /// A note on changes of the weights that affect numbers; empty: none.
    std::string precision_fact = {};
    bool quantizes = false;  ///< X and H may be rounded in each step
};

/// Those of ONNX's own LSTM, GRU and RNN; reads layout, and output_sequence of the old ones.
RecurrentSource read_recurrent_source(NodeContext& by);

/// Throws ModelError "input 1 (W) is missing" if it is omitted.
Output required_input(NodeContext& by, std::size_t index, const std::string& name);

/// The LSTM of a node whose other inputs and attributes are those of ONNX's own.
std::vector<Output> convert_lstm_of(NodeContext& by, const RecurrentSource& source);

/// Reads the inputs of an ONNX node and makes the inputs of a sequence op.
///
/// ONNX: X [T,N,I], W [D,G*H,I], R [D,G*H,H], B [D,2*G*H] (of W, then of R), sequence_lens [N],
/// initial states [D,N,H], Y [T,D,N,H], final states [D,N,H]; with layout 1 X [N,T,I], states
/// [N,D,H], Y [N,T,D,H]. Inputs that may be omitted get their defaults as parts of the graph, which
/// follow X if its extents change.
class RecurrentReader {
public:
    /// Reads the attributes and checks the inputs' types and shapes: throws ModelError naming the
    /// input.
    RecurrentReader(NodeContext& by, ops::CellType cell, RecurrentSource source);

    const ops::RecurrentAttributes& attributes() const { return attributes_; }

    Output x();                               ///< [N,T,I]
    Output initial_state(std::size_t input);  ///< [N,D,H]
    Output lengths();                         ///< [N]
    const Output& w() const { return source_.w; }
    const Output& r() const { return source_.r; }
    /// B, empty if it is omitted; f32 if its type has 16 bits, in which the sum of its
    /// halves would be rounded. The op then computes in f32, see finish().
    Output b();
    /// The sum of B's halves: [D,G*H].
    Output summed_bias();
    /// [D,width*H] of zeros, if B is omitted.
    Output zero_bias(std::int64_t width);
    /// The parts along axis 1, of equal size, in another order. Nodes do that, which are folded:
    /// so the model that was read holds a constant's bytes once, those of its file.
    Output reorder(const Output& value, std::span<const std::size_t> order);

    /// Ends the op and turns its outputs into ONNX's layout: Y, Y_h and, of an LSTM, Y_c.
    std::vector<Output> finish(const std::shared_ptr<ops::RecurrentOp>& op);

private:
    void find_hidden_size();
    void check_types();
    void check_lengths_type();
    void check_shapes();
    void check_shape(const Output& value, const std::string& name,
                     const std::vector<Dimension>& expected, std::size_t directions_axis = 0) const;
    Output extent(std::int64_t axis);
    /// H times a factor, as i64 [1]; of R's shape if hidden_size is absent.
    Output hidden(std::int64_t times);
    void widen_inputs(ops::RecurrentOp& op);
    Output zeros(ElementType type, const std::vector<Output>& extents);
    std::int64_t batch_axis() const { return source_.batch_first ? 0 : 1; }
    std::int64_t time_axis() const { return source_.batch_first ? 1 : 0; }

    NodeContext& by_;
    ops::CellType cell_;
    ops::RecurrentAttributes attributes_;
    RecurrentSource source_;
    std::int64_t gates_;
    std::int64_t directions_;
    Output wide_b_;  // made when needed: B in f32
};

}  // namespace rondo::onnx
