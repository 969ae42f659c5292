// Converts Resize and Upsample.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ops/window/samplers.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateMode;
using ops::NearestMode;

constexpr std::int64_t kAxesSince = 18;  // and antialias, keep_aspect_ratio_policy
constexpr std::int64_t kSymmetricSince = 19;

[[noreturn]] void throw_unknown(const char* attribute, const std::string& value) {
    throw ModelError("attribute '" + std::string(attribute) + "' is '" + value +
                     "'; expected one that this opset has");
}

// tf_half_pixel_for_nn left ONNX with opset 13, but tf2onnx still writes it.
CoordinateMode coordinates_of(NodeContext& by) {
    constexpr const char* kName = "coordinate_transformation_mode";
    const CoordinateMode mode = by.choice(kName, "half_pixel", ops::kCoordinateModes);
    const bool is_known =
        mode != CoordinateMode::align_corners_scaled &&
        (mode != CoordinateMode::half_pixel_symmetric || by.opset() >= kSymmetricSince);
    if (!is_known) throw_unknown(kName, by.attribute(kName, ""));
    return mode;
}

NearestMode nearest_of(NodeContext& by) {
    const NearestMode mode = by.choice("nearest_mode", "round_prefer_floor", ops::kNearestModes);
    if (mode == NearestMode::simple) throw_unknown("nearest_mode", "simple");
    return mode;
}

ExtentRule policy_of(NodeContext& by) {
    constexpr std::pair<std::string_view, ExtentRule> kPolicies[] = {
        {"stretch", ExtentRule::sizes},
        {"not_larger", ExtentRule::not_larger},
        {"not_smaller", ExtentRule::not_smaller}};
    return by.choice("keep_aspect_ratio_policy", "stretch", kPolicies);
}

InterpolateMode resize_mode_of(NodeContext& by, bool has_cubic) {
    const std::string text = by.attribute("mode", "nearest");
    if (text == "nearest") return InterpolateMode::nearest;
    if (text == "linear") return InterpolateMode::linear_onnx;
    if (text == "cubic" && has_cubic) return InterpolateMode::cubic;
    throw_unknown("mode", text);
}

ops::InterpolateAttributes attributes_of(NodeContext& by) {
    ops::InterpolateAttributes attributes;
    ops::TapRule& rule = attributes.rule;
    rule.mode = resize_mode_of(by, true);
    rule.coordinates = coordinates_of(by);
    rule.nearest = nearest_of(by);
    rule.cube_coeff = by.attribute("cubic_coeff_a", rule.cube_coeff);
    rule.exclude_outside = by.attribute("exclude_outside", false);
    attributes.extrapolation_value = by.attribute("extrapolation_value", 0.0F);
    if (by.opset() >= kAxesSince) {
        rule.antialias = by.attribute("antialias", false);
        attributes.extents = policy_of(by);
    }
    if (rule.mode == InterpolateMode::nearest) rule.antialias = rule.exclude_outside = false;
    if (rule.mode == InterpolateMode::linear_onnx && rule.exclude_outside) {
        rule.mode = InterpolateMode::linear;  // leaves them out anyway
        rule.exclude_outside = false;
    }
    return attributes;
}

// Before opset 13 an input that isn't used may be an empty vector.
Output input_with_elements(NodeContext& by, std::size_t index) {
    const Output value = by.optional_input(index);
    return value && value.shape() == PartialShape{0} ? Output() : value;
}

std::optional<std::vector<float>> known_floats(const Output& value) {
    const Tensor known = known_value(value);
    if (!known || known.element_type() != ElementType::f32) return std::nullopt;
    const auto* from = known.data<float>();
    return std::vector<float>(from, from + known.size());
}

// The axes that `target` has a number for; empty if the rank isn't known and they are all.
std::optional<Ints> axes_of(NodeContext& by, const Output& x) {
    if (by.opset() >= kAxesSince) {
        if (auto axes = by.attributes().find_ints("axes")) return axes;
    }
    if (!x.shape().has_rank()) return std::nullopt;
    return ints_from(0, x.shape().rank());
}

struct Target {
    Output numbers;
    std::optional<Ints> axes;
    Output roi;  // empty if nothing reads it
};

Output constant_scales(NodeContext& by, const std::vector<float>& scales) {
    Tensor values(ElementType::f32, {scales.size()});
    std::copy(scales.begin(), scales.end(), values.data<float>());
    return by.constant(values);
}

// Without the axes that constant scales leave as they are.
void drop_kept_axes(NodeContext& by, Target& target) {
    const auto scales = known_floats(target.numbers);
    if (!scales || !target.axes || target.roi || scales->size() != target.axes->size()) return;
    std::vector<float> kept;
    Ints axes;
    for (std::size_t i = 0; i < scales->size(); ++i) {
        if ((*scales)[i] == 1) continue;
        kept.push_back((*scales)[i]);
        axes.push_back((*target.axes)[i]);
    }
    if (kept.size() == scales->size()) return;
    target.numbers = constant_scales(by, kept);
    target.axes = axes;
}

// Whether all products of extents and scales are known to be whole.
bool are_whole(NodeContext& by, const Output& x, const Target& target) {
    const auto scales = known_floats(target.numbers);
    if (!scales || !target.axes || scales->size() != target.axes->size()) return false;
    for (std::size_t i = 0; i < scales->size(); ++i) {
        const float scale = (*scales)[i];
        if (scale == std::floor(scale)) continue;
        if (!x.shape().has_rank()) return false;
        const std::size_t axis = by.normal_axis((*target.axes)[i], x.shape());
        if (!x.shape()[axis].is_static()) return false;
        const float length = static_cast<float>(x.shape()[axis].length()) * scale;
        if (length != std::floor(length)) return false;
    }
    return true;
}

Output make_interpolate(NodeContext& by, const Output& x, Target target,
                        ops::InterpolateAttributes attributes) {
    CoordinateMode& coordinates = attributes.rule.coordinates;
    if (attributes.extents == ExtentRule::scales) {
        if (coordinates != CoordinateMode::tf_half_pixel_for_nn) drop_kept_axes(by, target);
        // The scales say where the corners are, also between two places.
        if (coordinates == CoordinateMode::align_corners && !are_whole(by, x, target)) {
            coordinates = CoordinateMode::align_corners_scaled;
        }
    }
    std::vector<Output> inputs{x, target.numbers};
    if (target.axes) inputs.push_back(by.ints(*target.axes));
    if (target.roi) {
        if (!target.axes) throw UnsupportedError("the rank of X isn't known, but roi is read");
        inputs.push_back(target.roi);
    }
    return by.make<ops::Interpolate>(std::move(inputs), std::move(attributes));
}

// Before coordinate modes existed.
ops::InterpolateAttributes old_attributes(InterpolateMode mode) {
    ops::InterpolateAttributes attributes;
    attributes.rule.mode = mode;
    attributes.rule.coordinates = CoordinateMode::asymmetric;
    attributes.rule.nearest = NearestMode::simple;
    attributes.extents = ExtentRule::scales;
    return attributes;
}

}  // namespace

std::vector<Output> convert_resize(NodeContext& by) {
    const Output x = by.input(0);
    auto attributes = attributes_of(by);
    const Output roi = input_with_elements(by, 1);
    const Output scales = input_with_elements(by, 2);
    const Output sizes = input_with_elements(by, 3);
    const bool has_sizes = static_cast<bool>(sizes);
    if (!scales && !has_sizes) throw ModelError("neither scales nor sizes are given");
    // Scales of an open length may be empty.
    if (scales && has_sizes && scales.shape().is_static()) {
        throw ModelError("both scales and sizes are given; expected one of them");
    }
    Target target{has_sizes ? sizes : scales, axes_of(by, x), {}};
    if (attributes.rule.coordinates == CoordinateMode::tf_crop_and_resize) {
        if (!roi) throw ModelError("input 1 is missing: tf_crop_and_resize needs a roi");
        target.roi = roi;
    }
    if (!has_sizes) attributes.extents = ExtentRule::scales;
    return {make_interpolate(by, x, std::move(target), std::move(attributes))};
}

std::vector<Output> convert_with_scales(NodeContext& by) {
    const Output x = by.input(0);
    const Output scales = by.input(1);
    return {make_interpolate(by, x, {scales, axes_of(by, x), {}},
                             old_attributes(resize_mode_of(by, false)))};
}

std::vector<Output> convert_upsample_7(NodeContext& by) {
    const auto scales = by.attributes().find_floats("scales");
    if (!scales) throw ModelError("attribute 'scales' is missing");
    const Output x = by.input(0);
    return {make_interpolate(by, x, {constant_scales(by, *scales), axes_of(by, x), {}},
                             old_attributes(resize_mode_of(by, false)))};
}

std::vector<Output> convert_upsample_1(NodeContext& by) {
    const auto scale = [&](const char* name) {
        const auto value = by.attributes().find_float(name);
        if (!value) throw ModelError("attribute '" + std::string(name) + "' is missing");
        return *value;
    };
    const Output x = by.input(0);
    NodeContext::check_shape(x, PartialShape::of_rank(4), "X");
    const float height = scale("height_scale");
    constexpr std::pair<std::string_view, InterpolateMode> kModes[] = {
        {"nearest", InterpolateMode::nearest}, {"bilinear", InterpolateMode::linear_onnx}};
    const auto attributes = old_attributes(by.choice("mode", "nearest", kModes));
    return {make_interpolate(
        by, x, {constant_scales(by, {height, scale("width_scale")}), Ints{2, 3}, {}}, attributes)};
}

}  // namespace rondo::onnx
