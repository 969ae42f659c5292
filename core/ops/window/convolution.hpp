// Slides filters over one, two or three spatial axes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/node.hpp"

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

/// Inputs of one numeric type: data [N, C, spatial...], filters [O, C, spatial...].
/// Output: [N, O, spatial...]; y = sum over C and the filter's extent of data * filter, not
/// flipped; an element outside the data counts as 0.
class Convolution final : public Op<Convolution> {
public:
    static constexpr OpType kType{"Convolution", 1};

    Convolution() = default;
    Convolution(const Output& data, const Output& filters, ConvolutionAttributes attributes)
        : Op({data, filters}), attributes_(std::move(attributes)) {}

    const ConvolutionAttributes& attributes() const { return attributes_; }
    void set_attributes(ConvolutionAttributes attributes) { attributes_ = std::move(attributes); }

    /// The spatial axes, for shapes that infer() has accepted.
    std::vector<ConvolutionAxis> axes(const Shape& data, const Shape& filters) const;

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("strides", self.attributes_.strides);
        visitor.on("dilations", self.attributes_.dilations);
        visitor.on("pads_begin", self.attributes_.pads_begin);
        visitor.on("pads_end", self.attributes_.pads_end);
        visitor.on_enum("auto_pad", self.attributes_.auto_pad, kAutoPads);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ConvolutionAttributes attributes_;
};

}  // namespace rondo::ops
