// Runs a graph for each part of its inputs.
#pragma once

#include "core/ops/control/iterated_op.hpp"

namespace rondo::ops {

/// At least one input is cut into parts; all that are have the same number of parts, which is how
/// often the body runs.
class TensorIterator final : public Op<TensorIterator, IteratedOp> {
public:
    static constexpr OpType kType{"TensorIterator", 1};
    using Op::Op;

    TripCount trip_count(const InferContext& context) const override;

protected:
    void check_own(const InferContext& context) const override;
};

}  // namespace rondo::ops
