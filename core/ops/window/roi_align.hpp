// Samples regions of a feature map in bins of equal size.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"
#include "core/ops/window/roi_bins.hpp"

namespace rondo::ops {

struct RoiAlignAttributes {
    std::int64_t pooled_h = 1;
    std::int64_t pooled_w = 1;
    std::int64_t sampling_ratio = 0;  ///< samples a bin along each axis; 0: about one each element
    float spatial_scale = 1;
    RoiMode mode = RoiMode::avg;
    RoiAlignment alignment = RoiAlignment::asymmetric;
};

/// Inputs: data [N, C, H, W] of a floating type; regions [R, 4] of the same type: x and y of the
/// first corner, then of the last one; integers [R]: which element of N. Output [R, C, pooled_h,
/// pooled_w]. A sample is the mean of the four elements around it; those more than an element
/// outside of the data are 0.
class RoiAlign final : public Op<RoiAlign> {
public:
    static constexpr OpType kType{"ROIAlign", 9};
    static constexpr OpType kRondoType{"ROIAlign", 0};
    /// The older form, which is always asymmetric: reading one makes this op.
    static constexpr OpType kOpset3{"ROIAlign", 3};

    RoiAlign() = default;
    RoiAlign(std::vector<Output> inputs, const RoiAlignAttributes& attributes)
        : Op(std::move(inputs)), attributes_(attributes) {}

    const RoiAlignAttributes& attributes() const { return attributes_; }

    const OpType& op_type() const override {
        return attributes_.mode == RoiMode::max_part ? kRondoType : kType;
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("pooled_h", self.attributes_.pooled_h);
        visitor.on("pooled_w", self.attributes_.pooled_w);
        visitor.on("sampling_ratio", self.attributes_.sampling_ratio);
        visitor.on("spatial_scale", self.attributes_.spatial_scale);
        visitor.on_enum("mode", self.attributes_.mode, kRoiModes);
        visitor.on_enum("aligned_mode", self.attributes_.alignment, kRoiAlignments);
    }
    void infer(InferContext& context) const override;

private:
    RoiAlignAttributes attributes_;
};

}  // namespace rondo::ops
