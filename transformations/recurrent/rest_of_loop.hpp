// What a loop computes besides the states of its cells.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/ops/control/iterated_op.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/loop_step.hpp"

namespace rondo::passes {

/// The loop without its cells: it reads what the sequences give in each step, and its outputs are
/// `outputs` of the loop, in that order. Null where one of them needs C, which no sequence gives
/// for each step, or where it isn't known how the body finds its part of an input. `sequences`: one
/// for each cell, of all rows in each step.
std::shared_ptr<ops::IteratedOp> make_rest_of_loop(Rewriter& rewriter, const ops::IteratedOp& loop,
                                                   const LoopStep& step,
                                                   std::span<const NodePtr> sequences,
                                                   std::span<const std::size_t> outputs);

}  // namespace rondo::passes
