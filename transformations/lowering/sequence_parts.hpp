// Finds recurrent ops that OpenVINO lacks or runs differently, and makes the parts of which the ops
// that replace them consist.
#pragma once

#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {

/// True for ops of `rondo1` (peepholes, input_forget, other activation functions, a set of them for
/// each direction), and for sequences with lengths that may be below T whose X has open extents:
/// OpenVINO's CPU plugin computes all T steps of these. False if the rank of X isn't known: that
/// plugin runs no such tensor.
bool needs_lowering(const ops::RecurrentOp& op);

inline constexpr std::int64_t kTimeAxis = 1;  ///< of X [N,T,I]

/// The attributes of one direction: its activation functions with all their parameters written out,
/// and hidden_size where the shapes say it.
ops::RecurrentAttributes attributes_of_direction(const ops::RecurrentOp& op, std::size_t direction);

/// The inputs of a sequence of one direction, without the axis of directions. Tensors of 16 bits
/// are widened to f32, as the op itself computes.
struct SequenceParts {
    Output x;                     ///< [N,T,I]
    std::vector<Output> states;   ///< H and, of an LSTM, C: [N,H]
    std::vector<Output> weights;  ///< W, R, B and, where the op has it, P
    Output mask;  ///< [N,T], boolean: true in each row's own steps; empty where all rows have T
};

SequenceParts parts_of(Formula& by, const ops::RecurrentOp& op);

/// The cell of a sequence: H and C of the next step, from x [N,I].
std::vector<Output> make_step(Formula& by, const ops::RecurrentOp& op, const Output& x,
                              const std::vector<Output>& states,
                              const std::vector<Output>& weights);

/// function(x) of a recurrent op as standard elementwise ops, for x of f32 or f64.
Output lower_activation(Formula& by, const ops::ActivationFunction& function, const Output& x);

/// `next` where the row goes on, else `otherwise`; `goes_on` [N,1] may be empty: all rows go on.
Output masked(Formula& by, const Output& goes_on, const Output& next, const Output& otherwise);

/// What the sequence gave, from other nodes: Y without the axis of directions, and the last states.
/// Outputs that nothing reads may be empty.
struct SequenceResults {
    Output y;                    ///< [N,T,H]
    std::vector<Output> states;  ///< H and, of an LSTM, C: [N,H]
};

/// Puts them in the place of the op. The states of rows of length 0 become 0.
void replace_sequence(Formula& by, ops::RecurrentOp& op, const SequenceResults& results);

}  // namespace rondo::passes
