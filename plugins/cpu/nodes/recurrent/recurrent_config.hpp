// From a recurrent op of the graph to the kernels' description of a layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"

namespace rondo::cpu {

/// Extents of a layer that its weights may bring at run time.
struct LayerSizes {
    std::int64_t input = 0;
    std::int64_t hidden = 0;
};

/// The layer that `op` means for these sizes, with everything of the op's element type. A cell is a
/// layer of one direction.
SequenceConfig sequence_config(const ops::RecurrentOp& op, const LayerSizes& sizes);

/// Strides of one call, without pointers: X [N,T,I] or [N,I], states [N,D,H] or [N,H].
SequenceArgs sequence_args(const ops::RecurrentOp& op, const SequenceConfig& config,
                           const Shape& x);

/// The same for a sequence's X and Y in another order; `x`: the shape that X comes in.
SequenceArgs sequence_args(const SequenceOrder& order, const SequenceConfig& config,
                           const Shape& x);

/// A layer whose weights are constants. W and R keep the type that they are stored in, unless the
/// context allows bf16.
class ConstantLayer {
public:
    ConstantLayer(const ops::RecurrentOp& op, const CompileContext& context);

    const SequenceConfig& config() const { return config_; }
    /// Valid as long as this lives.
    SequenceWeights weights() const;

private:
    void drop_reset_gate(const ops::RecurrentOp& op);
    bool can_round() const;

    Tensor w_, r_, b_, p_;
    Tensor w_scales_, r_scales_;  // of scaled weights; else empty
    SequenceConfig config_;
};

/// What a ConstantLayer holds: the ports of W, R, B and P.
std::vector<ReadPort> packed_ports(const ops::RecurrentOp& op);

/// "hidden_split 2".
std::string strategy_text(const StrategyChoice& choice);

/// "constant weights, packed once; f16 data is widened to f32 on the way".
std::string with_data_note(const ops::RecurrentOp& op, std::string reason);

// The lengths of a sequence, checked, in the kernels' type.

/// Bound to sizes. Lengths that are known before the run are checked once.
class SequenceLengths {
public:
    /// A cell has none.
    explicit SequenceLengths(const ops::RecurrentOp& op) : op_(op), full_(true) {}
    /// `lengths`: [batch] of i32 or i64, or implied (default_input.hpp). Throws ModelError naming
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
