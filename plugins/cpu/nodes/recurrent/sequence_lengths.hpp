// The lengths of a recurrent sequence, checked, in the kernels' type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Bound to sizes. Lengths that are known before the run are checked once.
class SequenceLengths {
public:
    /// A cell has none.
    explicit SequenceLengths(const ops::RecurrentOp& op) : op_(op), full_(true) {}
    /// `lengths`: [batch] of i32 or i64, or implied (implied_input.hpp). Throws ModelError naming
    /// `op`, row and value.
    SequenceLengths(const ops::RecurrentOp& op, const TensorInfo& lengths, std::int64_t batch,
                    std::int64_t time);

    /// For lengths that have to be widened.
    std::size_t scratch_bytes() const;

    /// `scratch`: scratch_bytes(). Null if every row has all steps. Throws as the constructor.
    const std::int64_t* read(const void* data, void* scratch) const;

private:
    bool needs_widening() const { return !full_ && type_ == ElementType::i32; }

    const ops::RecurrentOp& op_;
    std::int64_t batch_ = 0;
    std::int64_t time_ = 0;
    ElementType type_ = ElementType::i64;
    bool full_ = false;
};

}  // namespace rondo::cpu
