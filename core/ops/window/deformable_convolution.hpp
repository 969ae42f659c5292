// A convolution whose taps are moved by offsets, each at each position.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/convolution_axis.hpp"

namespace rondo::ops {

/// Inputs of one floating type: data [N, C, H, W]; offsets [N, D*KH*KW*2, OH, OW], y before x;
/// filters [O, C/G, KH, KW]; factors of the taps [N, D*KH*KW, OH, OW] (optional). Output [N, O, OH,
/// OW]. D groups of channels have offsets of their own, G groups of filters see channels of their
/// own. Between elements they are interpolated. With `pads_by_zero` elements outside of the data
/// are 0; else those at its end stand for the ones behind it, and a tap outside is 0.
class DeformableConvolution final : public Op<DeformableConvolution> {
public:
    static constexpr OpType kType{"DeformableConvolution", 8};

    DeformableConvolution() = default;
    DeformableConvolution(std::vector<Output> inputs, ConvolutionAttributes attributes,
                          std::int64_t group, std::int64_t offset_group, bool pads_by_zero)
        : Op(std::move(inputs)),
          attributes_(std::move(attributes)),
          group_(group),
          offset_group_(offset_group),
          pads_by_zero_(pads_by_zero) {}

    std::int64_t group() const { return group_; }
    std::int64_t offset_group() const { return offset_group_; }
    bool pads_by_zero() const { return pads_by_zero_; }
    const ConvolutionAttributes& attributes() const { return attributes_; }
    /// H and W, for shapes that infer() has accepted.
    std::array<ConvolutionAxis, 2> axes(const Shape& data, const Shape& filters) const;

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("bilinear_interpolation_pad", self.pads_by_zero_);
        visitor.on("strides", self.attributes_.strides);
        visitor.on("dilations", self.attributes_.dilations);
        visitor.on("pads_begin", self.attributes_.pads_begin);
        visitor.on("pads_end", self.attributes_.pads_end);
        visitor.on_enum("auto_pad", self.attributes_.auto_pad, kAutoPads);
        visitor.on("group", self.group_);
        visitor.on("deformable_group", self.offset_group_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ConvolutionAttributes attributes_;
    std::int64_t group_ = 1;
    std::int64_t offset_group_ = 1;
    bool pads_by_zero_ = false;
};

}  // namespace rondo::ops
