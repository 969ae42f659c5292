// Resizes axes of a tensor: each element is one of the data, or a weighted mean of some.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/axis_taps.hpp"

namespace rondo::ops {

/// What input 1 says of the output's extents: the extents themselves; factors, the products being
/// rounded down; or extents that bound it, all axes having one factor (rondo1's).
enum class ExtentRule : std::uint8_t { sizes, scales, not_larger, not_smaller };
inline constexpr std::pair<std::string_view, ExtentRule> kExtentRules[] = {
    {"not_larger", ExtentRule::not_larger},
    {"not_smaller", ExtentRule::not_smaller},
    {"scales", ExtentRule::scales},
    {"sizes", ExtentRule::sizes},
};

struct InterpolateAttributes {
    TapRule rule{};
    ExtentRule extents = ExtentRule::sizes;
    std::vector<std::int64_t> pads_begin{};  ///< zeros around the data; axes behind the last have 0
    std::vector<std::int64_t> pads_end{};
    float extrapolation_value = 0;  ///< tf_crop_and_resize: outside of the data
};

/// Inputs: data of any type (of numbers unless the mode is nearest); sizes or scales, a number for
/// each of the axes; axes (optional: all); with tf_crop_and_resize also the start of each axis and
/// then the end of each, as parts of it. Numbers are computed in floating point; integers are
/// rounded, halves to the even one, and bounded by their type. The formulas are those of ONNX's
/// Resize. antialias with cubic or linear_onnx, exclude_outside and extrapolation_value are
/// rondo1's.
class Interpolate final : public Op<Interpolate> {
public:
    static constexpr OpType kType{"Interpolate", 11};
    static constexpr OpType kRondoType{"Interpolate", 0};

    Interpolate() = default;
    Interpolate(std::vector<Output> inputs, InterpolateAttributes attributes)
        : Op(std::move(inputs)), attributes_(std::move(attributes)) {}

    const InterpolateAttributes& attributes() const { return attributes_; }
    bool is_nearest() const { return attributes_.rule.mode == InterpolateMode::nearest; }

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    OpTraits traits() const override { return {.data_inputs = 1}; }
    static void visit_attributes(auto& self, auto& visitor) {
        auto& attributes = self.attributes_;
        visitor.on_enum("mode", attributes.rule.mode, kInterpolateModes);
        visitor.on_enum("shape_calculation_mode", attributes.extents, kExtentRules);
        visitor.on_enum("coordinate_transformation_mode", attributes.rule.coordinates,
                        kCoordinateModes);
        visitor.on_enum("nearest_mode", attributes.rule.nearest, kNearestModes);
        visitor.on("antialias", attributes.rule.antialias);
        visitor.on("pads_begin", attributes.pads_begin);
        visitor.on("pads_end", attributes.pads_end);
        visitor.on("cube_coeff", attributes.rule.cube_coeff);
        if (!std::is_const_v<std::remove_reference_t<decltype(self)>> || !self.is_standard()) {
            visitor.on("exclude_outside", attributes.rule.exclude_outside);
            visitor.on("extrapolation_value", attributes.extrapolation_value);
        }
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

    /// Each axis of the data, whose shape infer() has accepted; nothing while an input isn't known.
    std::optional<std::vector<ResizedAxis>> axes(const InferContext& context) const;

private:
    bool is_standard() const;
    bool crops() const {
        return attributes_.rule.coordinates == CoordinateMode::tf_crop_and_resize;
    }

    InterpolateAttributes attributes_;
};

}  // namespace rondo::ops
