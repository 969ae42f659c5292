// What OpenVINO's forms of the recurrent ops leave out or forbid, and ours don't.
#pragma once

#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ir {

/// Brings an op whose attributes were read under `form` into our form, and returns its inputs as
/// ours has them; nothing happens to rondo1's forms. LSTMCell and GRUCell may come without B:
/// zeros, named `b_name`. LSTMCell-1 may come with a P of zeros, which goes. Alphas and betas go:
/// no function of a standard form takes one. Throws UnsupportedError for what the forms' pages
/// don't know: other functions than sigmoid, tanh and relu, a set of them for each direction,
/// input_forget (LSTMCell-1 has it), a P that isn't zero; and ModelError for a
/// missing hidden_size, which rondo1 alone leaves out.
std::vector<Output> adopt_form(ops::RecurrentOp& op, const OpType& form, std::vector<Output> inputs,
                               const std::string& b_name);

}  // namespace rondo::ir
