// Loops that passes make of other loops.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// What a loop is made of.
struct LoopParts {
    std::vector<Output> inputs;
    GraphPtr body;
    ops::BodyPorts ports;
    ops::LoopPorts special = {};  ///< of a Loop
};

/// A loop of the kind of `op`, and with its limit of iterations, made of other parts.
std::shared_ptr<ops::IteratedOp> remade_loop(Rewriter& rewriter, const ops::IteratedOp& op,
                                             const std::string& name, LoopParts parts);

}  // namespace rondo::passes
