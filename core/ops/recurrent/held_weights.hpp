// Weights of recurrent layers that a device holds with scales.
#pragma once

#include "rondo/tensor.hpp"

namespace rondo::ops {

/// An op of a device that holds constant weights in another form, f32 for readers that look at
/// its output.
class HeldWeights {
public:
    virtual ~HeldWeights() = default;
    /// In the output's shape, as the layer's kernels take them.
    virtual Tensor values() const = 0;
    /// The factors of their rows: f32.
    virtual Tensor scales() const = 0;
};

}  // namespace rondo::ops
