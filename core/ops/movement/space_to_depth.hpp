// Gathers blocks of the spatial axes in channels.
#pragma once

#include "core/ops/movement/block_move.hpp"

namespace rondo::ops {

/// Input: data [N, C, S1 * b, .., SK * b], K from 1 on. Output [N, b^K * C, S1, .., SK].
class SpaceToDepth final : public Op<SpaceToDepth, BlockMove> {
public:
    static constexpr OpType kType{"SpaceToDepth", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
