// Weights in the type in which the file stores them, as an op of the CPU device.
#pragma once

#include "core/ops/elementwise/convert.hpp"

namespace rondo::cpu {

/// A Convert of 16-bit weights whose readers widen its input in registers: its result has a type
/// and a shape, but is never computed, and no node reads its elements.
class StoredWeights final : public Op<StoredWeights, ops::Convert> {
public:
    static constexpr OpType kType{"StoredWeights", 0};
    using Op::Op;
};

}  // namespace rondo::cpu
