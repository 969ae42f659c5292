// Reads recurrent ops of one step as the arithmetic that they compute.
#pragma once

#include <functional>
#include <optional>

#include "core/graph/node.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/recurrent/recognition/gate_algebra.hpp"

namespace rondo::passes {

/// Whether the op computes one step for certain, for each row: a cell, or a sequence of one
/// direction over a time axis of extent 1.
bool is_one_step(const ops::RecurrentOp& op);

/// The number of an op's first output that is a state: a sequence has Y before its states.
constexpr std::size_t first_state_output(const ops::RecurrentOp& op) {
    return op.is_sequence() ? 1 : 0;
}

/// How the inputs of an op are read: each as a formula, or times a matrix at once.
struct OpInputs {
    std::function<MaybeFormula(const Output&)> read;
    std::function<MaybeFormula(const Output&, const GateMatrix&)> product;
};

/// The formula of the op's next H (`state` 0) or C (1). Nothing for an op of more steps, one that
/// clips its gates, or one whose weights aren't constants of f32.
MaybeFormula formula_of_op(GateAlgebra& algebra, const ops::RecurrentOp& op, std::size_t state,
                           const OpInputs& inputs);

}  // namespace rondo::passes
