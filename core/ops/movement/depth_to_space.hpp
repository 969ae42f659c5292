// Spreads channels over blocks of the spatial axes.
#pragma once

#include "core/ops/movement/block_move.hpp"

namespace rondo::ops {

/// Input: data [N, b^K * C, S1, .., SK], K from 1 on. Output [N, C, S1 * b, .., SK * b].
class DepthToSpace final : public Op<DepthToSpace, BlockMove> {
public:
    static constexpr OpType kType{"DepthToSpace", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
