// Ops that read between the elements of a tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/axis_taps.hpp"
#include "core/ops/window/grid_taps.hpp"
#include "core/ops/window/roi_bins.hpp"

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
    std::vector<std::int64_t> pads_begin{};  ///< zeros around the data; axes after the last have 0
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

/// Inputs: data [N, C, spatial...], of a floating type, or of any with the mode nearest; grid
/// [N, points..., S] of a floating type, where S is the number of spatial axes and points... are as
/// many extents: a point's place on the last axis is first. Output [N, C, points...]. One and
/// three spatial axes are rondo1's.
class GridSample final : public Op<GridSample> {
public:
    static constexpr OpType kType{"GridSample", 9};
    static constexpr OpType kRondoType{"GridSample", 0};
    static constexpr std::size_t kMaxSpatial = 3;

    GridSample() = default;
    GridSample(const Output& data, const Output& grid, const GridRule& rule)
        : Op({data, grid}), rule_(rule) {}

    /// With is_f64 as the grid's type says.
    GridRule rule() const;

    const OpType& op_type() const override;
    OpTraits traits() const override {
        return rule_.mode == GridMode::nearest ? OpTraits{.data_inputs = 1} : OpTraits{};
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("align_corners", self.rule_.align_corners);
        visitor.on_enum("mode", self.rule_.mode, kGridModes);
        visitor.on_enum("padding_mode", self.rule_.padding, kGridPaddings);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    GridRule rule_;
};

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
