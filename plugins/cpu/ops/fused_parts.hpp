// Puts the inputs and parts of a fused op together.
#pragma once

#include <unordered_map>
#include <vector>

#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// The inputs and parts of a FusedOp, op by op. What an op reads of those added before becomes a
/// part's value; all else becomes an input.
class FusedParts {
public:
    /// The first op: its inputs come first and in its order, also where two are the same.
    void add_first(const Node& node);
    /// Adds an op, or the parts of one that is fused already. Equal inputs are listed once.
    void add(const Node& node);

    const std::vector<Output>& inputs() const { return inputs_; }
    const FusedOp::Parts& parts() const { return parts_; }

private:
    FusedPart::Source source_of(const Output& input);
    void append(const Node& node, const std::vector<FusedPart::Source>& sources);

    std::vector<Output> inputs_;
    FusedOp::Parts parts_;
    std::unordered_map<const Node*, std::size_t> part_of_;  // the part that gives an op's output
};

}  // namespace rondo::cpu
