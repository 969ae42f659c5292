// Rounds a tensor to 8 bits, by the range of its own elements.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: x, f32. Outputs: y, u8 of x's shape; scale, f32, and zero_point, u8, both of rank 0.
/// As ONNX's operator of that name, in f32: low = min(x, 0), high = max(x, 0),
/// scale = (high - low) / 255, zero_point = round(-low / scale) and y = round(x / scale) +
/// zero_point, both within 0 to 255; halves are rounded to the even number. As in onnxruntime, the
/// scale is 1 if all elements are 0 or there are none. NaN has no part in the range and gives 0.
class DynamicQuantizeLinear final : public Op<DynamicQuantizeLinear> {
public:
    static constexpr OpType kType{"DynamicQuantizeLinear", 0};

    DynamicQuantizeLinear() = default;
    explicit DynamicQuantizeLinear(const Output& x) : Op({x}) {}

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
