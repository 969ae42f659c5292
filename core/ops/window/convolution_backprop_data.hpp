// Transposed convolution: scatters each element of the data times the filters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/convolution.hpp"

namespace rondo::ops {

struct BackpropAttributes {
    ConvolutionAttributes window{};
    std::vector<std::int64_t> output_padding{};  ///< an entry a spatial axis; empty: zeros
};

/// The common base of transposed convolutions: element i of the data times element k of a filter
/// adds to output i * stride + k * dilation - pad_begin, where there is one.
/// Inputs of one numeric type: data [N, channels, spatial...], filters [..., spatial...]; then
/// optionally the output's spatial extents, an integer vector. Without it they are stride *
/// (extent - 1) + reach - pads + output_padding. With it, `same_upper` and `same_lower` choose the
/// pads that lead to it; otherwise pads_begin holds and pads_end follows.
/// As in OpenVINO, `same_upper` and `same_lower` without it mean no pads.
class BackpropBase : public Node {
public:
    BackpropBase() = default;
    BackpropBase(std::vector<Output> inputs, BackpropAttributes attributes)
        : Node(std::move(inputs)), attributes_(std::move(attributes)) {}

    const BackpropAttributes& attributes() const { return attributes_; }
    void set_attributes(BackpropAttributes attributes) { attributes_ = std::move(attributes); }

    /// The spatial axes, for shapes that infer() has accepted. `output`: the result's shape.
    std::vector<ConvolutionAxis> axes(const Shape& data, const Shape& filters,
                                      const Shape& output) const;
    /// The other ones.
    virtual ConvolutionShape sizes(const Shape& data, const Shape& filters) const = 0;

    OpTraits traits() const override { return {.data_inputs = 2}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.window.strides);
        visitor.on("dilations", self.attributes_.window.dilations);
        visitor.on("pads_begin", self.attributes_.window.pads_begin);
        visitor.on("pads_end", self.attributes_.window.pads_end);
        visitor.on_enum("auto_pad", self.attributes_.window.auto_pad, kAutoPads);
        visitor.on("output_padding", self.attributes_.output_padding);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    /// The order that the grouped op has in the IR.
    static void visit_pads_first(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.window.strides);
        visitor.on("pads_begin", self.attributes_.window.pads_begin);
        visitor.on("pads_end", self.attributes_.window.pads_end);
        visitor.on("dilations", self.attributes_.window.dilations);
        visitor.on_enum("auto_pad", self.attributes_.window.auto_pad, kAutoPads);
        visitor.on("output_padding", self.attributes_.output_padding);
    }
    /// Axes of the filters in front of the spatial ones.
    virtual std::size_t leading_axes() const = 0;
    /// The output's channels; throws through `context` where those of data and filters don't fit.
    virtual Dimension infer_channels(const InferContext& context, const PartialShape& data,
                                     const PartialShape& filters) const = 0;

private:
    std::optional<std::size_t> spatial_axes(const InferContext& context) const;
    void check_attributes(const InferContext& context, std::size_t spatial) const;
    Dimension natural_extent(const InferContext& context, std::size_t i, const Dimension& input,
                             const Dimension& kernel) const;

    BackpropAttributes attributes_;
};

/// Data [N, C, spatial...], filters [C, O, spatial...]. Output: [N, O, spatial...].
class ConvolutionBackpropData final : public Op<ConvolutionBackpropData, BackpropBase> {
public:
    static constexpr OpType kType{"ConvolutionBackpropData", 1};
    using Op::Op;

    ConvolutionShape sizes(const Shape& data, const Shape& filters) const override {
        return {data[0], 1, data[1], filters[1]};
    }

protected:
    std::size_t leading_axes() const override { return 2; }
    Dimension infer_channels(const InferContext& context, const PartialShape& data,
                             const PartialShape& filters) const override;
};

/// Data [N, G * C, spatial...], filters [G, C, O, spatial...]. Output: [N, G * O, spatial...].
class GroupConvolutionBackpropData final : public Op<GroupConvolutionBackpropData, BackpropBase> {
public:
    static constexpr OpType kType{"GroupConvolutionBackpropData", 1};
    using Op::Op;

    ConvolutionShape sizes(const Shape& data, const Shape& filters) const override {
        return {data[0], filters[0], filters[1], filters[2]};
    }
    static void visit_attributes(auto& self, auto& visitor) { visit_pads_first(self, visitor); }

protected:
    std::size_t leading_axes() const override { return 3; }
    Dimension infer_channels(const InferContext& context, const PartialShape& data,
                             const PartialShape& filters) const override;
};

}  // namespace rondo::ops
