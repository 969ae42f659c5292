// Windows that slide over spatial axes: convolutions, transposed ones, and Col2Im.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "rondo/shape.hpp"

namespace rondo::ops {

/// The source of the zeros around the data: `explicit_pads` from pads_begin and pads_end;
/// `same_upper` and `same_lower` give ceil(extent / stride) outputs, the odd zero at the end or at
/// the beginning; `valid` means none.
enum class AutoPad : std::uint8_t { explicit_pads, same_upper, same_lower, valid };
inline constexpr std::pair<std::string_view, AutoPad> kAutoPads[] = {
    {"explicit", AutoPad::explicit_pads},
    {"same_lower", AutoPad::same_lower},
    {"same_upper", AutoPad::same_upper},
    {"valid", AutoPad::valid},
};

/// One entry a spatial axis; an empty list means ones (strides, dilations) or zeros (pads).
struct ConvolutionAttributes {
    std::vector<std::int64_t> strides{};
    std::vector<std::int64_t> dilations{};
    std::vector<std::int64_t> pads_begin{};  ///< read with explicit_pads only
    std::vector<std::int64_t> pads_end{};    ///< read with explicit_pads only
    AutoPad auto_pad = AutoPad::explicit_pads;

    /// In the order that most ops have in the IR; the grouped ones have the pads first.
    static void visit(auto& self, auto& visitor) {
        visitor.on("strides", self.strides);
        visitor.on("dilations", self.dilations);
        visit_pads(self, visitor);
        visitor.on_enum("auto_pad", self.auto_pad, kAutoPads);
    }
    static void visit_pads_first(auto& self, auto& visitor) {
        visitor.on("strides", self.strides);
        visit_pads(self, visitor);
        visitor.on("dilations", self.dilations);
        visitor.on_enum("auto_pad", self.auto_pad, kAutoPads);
    }
    static void visit_pads(auto& self, auto& visitor) {
        visitor.on("pads_begin", self.pads_begin);
        visitor.on("pads_end", self.pads_end);
    }
};

/// Everything about one spatial axis once the shapes are known.
struct ConvolutionAxis {
    std::int64_t input = 0;
    std::int64_t kernel = 0;
    std::int64_t output = 0;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t pad_begin = 0;  ///< chosen by auto_pad
    std::int64_t pad_end = 0;
};

inline constexpr std::size_t kMaxSpatialAxes = 3;
/// With attributes and extents within these bounds no product or sum of one axis overflows.
inline constexpr std::int64_t kMaxWindowAttribute = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxWindowKernel = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxWindowInput = std::int64_t{1} << 47;

inline bool is_same(AutoPad pad) {
    return pad == AutoPad::same_upper || pad == AutoPad::same_lower;
}

/// The span of data that one output reads, gaps included.
inline std::int64_t reach_of(const ConvolutionAxis& axis) {
    return axis.dilation * (axis.kernel - 1) + 1;
}

/// Entry `i` of a list, or `otherwise` if the list is empty.
inline std::int64_t entry_of(const std::vector<std::int64_t>& list, std::size_t i,
                             std::int64_t otherwise) {
    return list.empty() ? otherwise : list[i];
}

/// One axis with its attributes; extents are still 0.
ConvolutionAxis axis_of(const ConvolutionAttributes& attributes, std::size_t i);

/// Finds the output's extent, and the pads that `pad` chooses, for known input and kernel.
void settle(ConvolutionAxis& axis, AutoPad pad);

/// Distributes `total` zeros over both ends, the odd one as `pad` says.
void distribute_pads(ConvolutionAxis& axis, std::int64_t total, AutoPad pad);

/// A list of an op, under its name in the IR, and the least value of an entry.
struct WindowList {
    const char* name;
    const std::vector<std::int64_t>& values;
    std::int64_t least;
};

/// Throws through `context` unless the list is empty or has an entry a spatial axis, each within
/// its bounds.
void check_list(const InferContext& context, const WindowList& list, std::size_t spatial);
void check_lists(const InferContext& context, const ConvolutionAttributes& attributes,
                 std::size_t spatial);

/// Throws through `context` unless the extents of one axis are within their bounds.
void check_extents(const InferContext& context, const Dimension& input, const Dimension& kernel);

/// The output's extent along axis `i` from extents that may be open; 0 if the window is larger
/// than the padded data.
Dimension window_extent(const InferContext& context, const ConvolutionAttributes& attributes,
                        std::size_t i, const Dimension& input, const Dimension& kernel);

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
        ConvolutionAttributes::visit(self.attributes_, visitor);
    }
    void infer(InferContext& context) const override;

protected:
    /// The order that the grouped op has in the IR.
    static void visit_pads_first(auto& self, auto& visitor) {
        ConvolutionAttributes::visit_pads_first(self.attributes_, visitor);
    }
    /// Axes of the filters in front of the spatial ones.
    virtual std::size_t leading_axes() const = 0;
    /// The output's channels; throws through `context` if those of data and filters don't fit.
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

struct BackpropAttributes {
    ConvolutionAttributes window{};
    std::vector<std::int64_t> output_padding{};  ///< an entry a spatial axis; empty: zeros
};

/// The common base of transposed convolutions: element i of the data times element k of a filter
/// adds to output i * stride + k * dilation - pad_begin, if there is one.
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
        ConvolutionAttributes::visit(self.attributes_.window, visitor);
        visitor.on("output_padding", self.attributes_.output_padding);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    /// The order that the grouped op has in the IR.
    static void visit_pads_first(auto& self, auto& visitor) {
        ConvolutionAttributes::visit_pads_first(self.attributes_.window, visitor);
        visitor.on("output_padding", self.attributes_.output_padding);
    }
    /// Axes of the filters in front of the spatial ones.
    virtual std::size_t leading_axes() const = 0;
    /// The output's channels; throws through `context` if those of data and filters don't fit.
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

/// Inputs of one floating type: data [N, C, H, W]; offsets [N, D*KH*KW*2, OH, OW], y before x;
/// filters [O, C/G, KH, KW]; factors of the taps [N, D*KH*KW, OH, OW] (optional). Output [N, O, OH,
/// OW]. D groups of channels have offsets of their own, G groups of filters see channels of their
/// own. Between elements they are interpolated. With `pads_by_zero` elements outside of the data
/// are 0; else those at its end mean the ones after it, and a tap outside is 0.
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
        ConvolutionAttributes::visit(self.attributes_, visitor);
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

/// Inputs: data [N, C * product(kernel), blocks] or without N, of a number type; output_size and
/// kernel_size, integer vectors with an entry a spatial axis. Output [N, C, output_size...], or
/// without N: column `k` of a block is added at the element that tap k of the window meets there,
/// and lost if that lies in the pads. More or fewer than two spatial axes are rondo1's.
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
        ConvolutionAttributes::visit_pads(self.attributes_, visitor);
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
