// Weights in the type in which the file stores them, or with a scale for each row, as ops of the
// CPU device.
#pragma once

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/held_weights.hpp"

namespace rondo::cpu {

/// Inputs: constant integers [..,G*H,K] of i8 or i16, and constant scales [..,G*H,1] of f32.
/// Output: their product in f32, which is never computed: the layers that read it multiply by the
/// integers and scale the sums.
class ScaledWeights final : public Op<ScaledWeights>, public ops::HeldWeights {
public:
    static constexpr OpType kType{"ScaledWeights", 0};
    using Op::Op;
    ScaledWeights(const Output& values, const Output& scales) { set_inputs({values, scales}); }

    Tensor values() const override { return rondo::known_value(input(0)); }
    Tensor scales() const override { return rondo::known_value(input(1)); }

    static void visit_attributes(auto& /*self*/, auto& /*visitor*/) {}
    void infer(InferContext& context) const override {
        context.set_output(0, ElementType::f32, context.shape(0));
    }
};

/// A Convert of 16-bit weights whose readers widen its input in registers: its result has a type
/// and a shape, but is never computed, and no node reads its elements.
class StoredWeights final : public Op<StoredWeights, ops::Convert> {
public:
    static constexpr OpType kType{"StoredWeights", 0};
    using Op::Op;
};

}  // namespace rondo::cpu
