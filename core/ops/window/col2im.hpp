// Adds overlapping blocks to an image: the opposite of cutting it into blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/convolution_axis.hpp"

namespace rondo::ops {

/// Inputs: data [N, C * product(kernel), blocks] or without N, of a number type; output_size and
/// kernel_size, integer vectors with an entry a spatial axis. Output [N, C, output_size...], or
/// without N: column `k` of a block is added at the element that tap k of the window meets there,
/// and lost where that lies in the pads. More or fewer than two spatial axes are rondo1's.
class Col2Im final : public Op<Col2Im> {
public:
    static constexpr OpType kType{"Col2Im", 15};
    static constexpr OpType kRondoType{"Col2Im", 0};

    Col2Im() = default;
    Col2Im(const Output& data, const Output& output_size, const Output& kernel_size,
           ConvolutionAttributes attributes)
        : Op({data, output_size, kernel_size}), attributes_(std::move(attributes)) {}

    const ConvolutionAttributes& attributes() const { return attributes_; }

    const OpType& op_type() const override;
    OpTraits traits() const override { return {.data_inputs = 1}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.strides);
        visitor.on("dilations", self.attributes_.dilations);
        visitor.on("pads_begin", self.attributes_.pads_begin);
        visitor.on("pads_end", self.attributes_.pads_end);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

    /// The spatial axes: `input` is the image's extent and `output` the number of blocks. Nothing
    /// while the sizes aren't known.
    std::optional<std::vector<ConvolutionAxis>> axes(const InferContext& context) const;

private:
    ConvolutionAttributes attributes_;
};

}  // namespace rondo::ops
