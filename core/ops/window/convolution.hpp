// Slides filters over one, two or three spatial axes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/convolution_axis.hpp"

namespace rondo::ops {

/// The part of a window's op that its shapes decide: groups of channels, each with filters of its
/// own.
struct ConvolutionShape {
    std::size_t batch = 0;
    std::size_t groups = 1;
    std::size_t channels = 0;  ///< of the data, in a group
    std::size_t filters = 0;   ///< channels of the output, in a group
};

/// The common base of convolutions: y = sum over the channels of a group and the filter's extent of
/// data * filter, not flipped; an element outside the data counts as 0.
/// Inputs of one numeric type: data [N, channels, spatial...], filters [..., spatial...].
class ConvolutionBase : public Node {
public:
    ConvolutionBase() = default;
    ConvolutionBase(const Output& data, const Output& filters, ConvolutionAttributes attributes)
        : Node({data, filters}), attributes_(std::move(attributes)) {}

    const ConvolutionAttributes& attributes() const { return attributes_; }
    void set_attributes(ConvolutionAttributes attributes) { attributes_ = std::move(attributes); }

    /// The spatial axes, for shapes that infer() has accepted.
    std::vector<ConvolutionAxis> axes(const Shape& data, const Shape& filters) const;
    /// The other ones.
    virtual ConvolutionShape sizes(const Shape& data, const Shape& filters) const = 0;

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.strides);
        visitor.on("dilations", self.attributes_.dilations);
        visitor.on("pads_begin", self.attributes_.pads_begin);
        visitor.on("pads_end", self.attributes_.pads_end);
        visitor.on_enum("auto_pad", self.attributes_.auto_pad, kAutoPads);
    }
    void infer(InferContext& context) const override;

protected:
    /// The order that the grouped op has in the IR.
    static void visit_pads_first(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.strides);
        visitor.on("pads_begin", self.attributes_.pads_begin);
        visitor.on("pads_end", self.attributes_.pads_end);
        visitor.on("dilations", self.attributes_.dilations);
        visitor.on_enum("auto_pad", self.attributes_.auto_pad, kAutoPads);
    }
    /// Axes of the filters in front of the spatial ones.
    virtual std::size_t leading_axes() const = 0;
    /// The output's channels; throws through `context` where those of data and filters don't fit.
    virtual Dimension infer_channels(const InferContext& context, const PartialShape& data,
                                     const PartialShape& filters) const = 0;

private:
    std::optional<std::size_t> spatial_axes(const InferContext& context) const;

    ConvolutionAttributes attributes_;
};

/// Data [N, C, spatial...], filters [O, C, spatial...]. Output: [N, O, spatial...].
class Convolution final : public Op<Convolution, ConvolutionBase> {
public:
    static constexpr OpType kType{"Convolution", 1};
    using Op::Op;

    ConvolutionShape sizes(const Shape& data, const Shape& filters) const override {
        return {data[0], 1, data[1], filters[0]};
    }
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    std::size_t leading_axes() const override { return 2; }
    Dimension infer_channels(const InferContext& context, const PartialShape& data,
                             const PartialShape& filters) const override;
};

/// Data [N, G * C, spatial...], filters [G, O, C, spatial...]. Output: [N, G * O, spatial...]; the
/// filters of a group see its channels alone.
class GroupConvolution final : public Op<GroupConvolution, ConvolutionBase> {
public:
    static constexpr OpType kType{"GroupConvolution", 1};
    using Op::Op;

    ConvolutionShape sizes(const Shape& data, const Shape& filters) const override {
        return {data[0], filters[0], filters[2], filters[1]};
    }
    static void visit_attributes(auto& self, auto& visitor) { visit_pads_first(self, visitor); }
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    std::size_t leading_axes() const override { return 3; }
    Dimension infer_channels(const InferContext& context, const PartialShape& data,
                             const PartialShape& filters) const override;
};

/// Throws through `context` unless the data (axis 1) can have as many channels as the filters have
/// groups (axis 0) times channels of a group (`channel_axis`).
void check_group_channels(const InferContext& context, const PartialShape& data,
                          const PartialShape& filters, std::size_t channel_axis);

}  // namespace rondo::ops
