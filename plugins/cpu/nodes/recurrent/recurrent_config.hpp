// From a recurrent op of the graph to the kernels' description of a layer.
#pragma once

#include <string>
#include <vector>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/ops/ordered_sequence.hpp"

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

}  // namespace rondo::cpu
