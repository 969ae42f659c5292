// Converts Resize and Upsample.
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/window/interpolate.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CoordinateMode;
using ops::ExtentRule;
using ops::InterpolateMode;
using ops::NearestMode;
using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kAxesSince = 18;  // and antialias, keep_aspect_ratio_policy
constexpr std::int64_t kSymmetricSince = 19;

std::string text_of(NodeContext& context, const char* attribute, const char* otherwise) {
    return context.attributes().find_string(attribute).value_or(otherwise);
}

[[noreturn]] void throw_unknown(const char* attribute, const std::string& value) {
    throw ModelError("attribute '" + std::string(attribute) + "' is '" + value +
                     "'; expected one that this opset has");
}

template <typename Enum, std::size_t size>
Enum named(const char* attribute, const std::string& value,
           const std::pair<std::string_view, Enum> (&names)[size]) {
    for (const auto& [name, entry] : names) {
        if (name == value) return entry;
    }
    throw_unknown(attribute, value);
}

// tf_half_pixel_for_nn left ONNX with opset 13, but tf2onnx still writes it.
CoordinateMode coordinates_of(NodeContext& context) {
    constexpr const char* kName = "coordinate_transformation_mode";
    const std::string text = text_of(context, kName, "half_pixel");
    const CoordinateMode mode = named(kName, text, ops::kCoordinateModes);
    const bool is_known =
        mode != CoordinateMode::align_corners_scaled &&
        (mode != CoordinateMode::half_pixel_symmetric || context.opset() >= kSymmetricSince);
    if (!is_known) throw_unknown(kName, text);
    return mode;
}

NearestMode nearest_of(NodeContext& context) {
    const std::string text = text_of(context, "nearest_mode", "round_prefer_floor");
    const NearestMode mode = named("nearest_mode", text, ops::kNearestModes);
    if (mode == NearestMode::simple) throw_unknown("nearest_mode", text);
    return mode;
}

ExtentRule policy_of(NodeContext& context) {
    const std::string text = text_of(context, "keep_aspect_ratio_policy", "stretch");
    if (text == "stretch") return ExtentRule::sizes;
    if (text == "not_larger") return ExtentRule::not_larger;
    if (text == "not_smaller") return ExtentRule::not_smaller;
    throw_unknown("keep_aspect_ratio_policy", text);
}

InterpolateMode resize_mode_of(NodeContext& context, bool has_cubic) {
    const std::string text = text_of(context, "mode", "nearest");
    if (text == "nearest") return InterpolateMode::nearest;
    if (text == "linear") return InterpolateMode::linear_onnx;
    if (text == "cubic" && has_cubic) return InterpolateMode::cubic;
    throw_unknown("mode", text);
}

ops::InterpolateAttributes attributes_of(NodeContext& context) {
    ops::InterpolateAttributes attributes;
    ops::TapRule& rule = attributes.rule;
    auto& own = context.attributes();
    rule.mode = resize_mode_of(context, true);
    rule.coordinates = coordinates_of(context);
    rule.nearest = nearest_of(context);
    rule.cube_coeff = own.find_float("cubic_coeff_a").value_or(rule.cube_coeff);
    rule.exclude_outside = own.flag("exclude_outside", false);
    attributes.extrapolation_value = own.find_float("extrapolation_value").value_or(0.0F);
    if (context.opset() >= kAxesSince) {
        rule.antialias = own.flag("antialias", false);
        attributes.extents = policy_of(context);
    }
    if (rule.mode == InterpolateMode::nearest) rule.antialias = rule.exclude_outside = false;
    if (rule.mode == InterpolateMode::linear_onnx && rule.exclude_outside) {
        rule.mode = InterpolateMode::linear;  // leaves them out anyway
        rule.exclude_outside = false;
    }
    return attributes;
}

// Before opset 13 an input that isn't used may be an empty vector.
Output input_with_elements(NodeContext& context, std::size_t index) {
    const Output value = context.optional_input(index);
    return value && value.shape() == PartialShape{0} ? Output() : value;
}

std::optional<std::vector<float>> known_floats(const Output& value) {
    const Tensor known = known_value(value);
    if (!known || known.element_type() != ElementType::f32) return std::nullopt;
    const auto* from = known.data<float>();
    return std::vector<float>(from, from + known.size());
}

// The axes that `target` has a number for; nothing where the rank isn't known and they are all.
std::optional<Ints> axes_of(NodeContext& context, const Output& x) {
    if (context.opset() >= kAxesSince) {
        if (auto axes = context.attributes().find_ints("axes")) return axes;
    }
    if (!x.shape().has_rank()) return std::nullopt;
    Ints all;
    for (std::size_t i = 0; i < x.shape().rank(); ++i) all.push_back(static_cast<std::int64_t>(i));
    return all;
}

struct Target {
    Output numbers;
    std::optional<Ints> axes;
    Output roi;  // empty where nothing reads it
};

// Without the axes that constant scales leave as they are.
void drop_kept_axes(NodeContext& context, Target& target) {
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
    Tensor numbers(ElementType::f32, {kept.size()});
    std::copy(kept.begin(), kept.end(), numbers.data<float>());
    target.numbers = context.make<ops::Constant>("scales", numbers);
    target.axes = axes;
}

// Whether all products of extents and scales are known to be whole.
bool are_whole(const Output& x, const Target& target) {
    const auto scales = known_floats(target.numbers);
    if (!scales || !target.axes || scales->size() != target.axes->size()) return false;
    for (std::size_t i = 0; i < scales->size(); ++i) {
        const float scale = (*scales)[i];
        if (scale == std::floor(scale)) continue;
        if (!x.shape().has_rank()) return false;
        const std::size_t axis =
            normalize_axis(InferContext("", "Resize", {}), (*target.axes)[i], x.shape().rank());
        if (!x.shape()[axis].is_static()) return false;
        const float length = static_cast<float>(x.shape()[axis].length()) * scale;
        if (length != std::floor(length)) return false;
    }
    return true;
}

Output make_interpolate(NodeContext& context, const Output& x, Target target,
                        ops::InterpolateAttributes attributes) {
    CoordinateMode& coordinates = attributes.rule.coordinates;
    if (attributes.extents == ExtentRule::scales) {
        if (coordinates != CoordinateMode::tf_half_pixel_for_nn) drop_kept_axes(context, target);
        // The scales say where the corners are, also between two places.
        if (coordinates == CoordinateMode::align_corners && !are_whole(x, target)) {
            coordinates = CoordinateMode::align_corners_scaled;
        }
    }
    std::vector<Output> inputs{x, target.numbers};
    if (target.axes) inputs.push_back(make_ints(context, "axes", *target.axes));
    if (target.roi) {
        if (!target.axes) throw UnsupportedError("the rank of X isn't known, but roi is read");
        inputs.push_back(target.roi);
    }
    return context.make<ops::Interpolate>("", std::move(inputs), std::move(attributes));
}

// Before coordinate modes existed.
ops::InterpolateAttributes old_attributes(NodeContext& context) {
    ops::InterpolateAttributes attributes;
    attributes.rule.mode = resize_mode_of(context, false);
    attributes.rule.coordinates = CoordinateMode::asymmetric;
    attributes.rule.nearest = NearestMode::simple;
    attributes.extents = ExtentRule::scales;
    return attributes;
}

Output constant_scales(NodeContext& context, const std::vector<float>& scales) {
    Tensor values(ElementType::f32, {scales.size()});
    std::copy(scales.begin(), scales.end(), values.data<float>());
    return context.make<ops::Constant>("all_scales", values);
}

}  // namespace

std::vector<Output> convert_resize(NodeContext& context) {
    const Output x = context.input(0);
    auto attributes = attributes_of(context);
    const Output roi = input_with_elements(context, 1);
    const Output scales = input_with_elements(context, 2);
    const Output sizes = input_with_elements(context, 3);
    const bool has_sizes = static_cast<bool>(sizes);
    if (!scales && !has_sizes) throw ModelError("neither scales nor sizes are given");
    // Scales of an open length may be empty.
    if (scales && has_sizes && scales.shape().is_static()) {
        throw ModelError("both scales and sizes are given; expected one of them");
    }
    Target target{has_sizes ? sizes : scales, axes_of(context, x), {}};
    if (attributes.rule.coordinates == CoordinateMode::tf_crop_and_resize) {
        if (!roi) throw ModelError("input 1 is missing: tf_crop_and_resize needs a roi");
        target.roi = roi;
    }
    if (!has_sizes) attributes.extents = ExtentRule::scales;
    return {make_interpolate(context, x, std::move(target), std::move(attributes))};
}

std::vector<Output> convert_with_scales(NodeContext& context) {
    const Output x = context.input(0);
    const Output scales = context.input(1);
    return {
        make_interpolate(context, x, {scales, axes_of(context, x), {}}, old_attributes(context))};
}

std::vector<Output> convert_upsample_7(NodeContext& context) {
    const auto scales = context.attributes().find_floats("scales");
    if (!scales) throw ModelError("attribute 'scales' is missing");
    const Output x = context.input(0);
    return {make_interpolate(context, x,
                             {constant_scales(context, *scales), axes_of(context, x), {}},
                             old_attributes(context))};
}

std::vector<Output> convert_upsample_1(NodeContext& context) {
    const auto scale = [&](const char* name) {
        const auto value = context.attributes().find_float(name);
        if (!value) throw ModelError("attribute '" + std::string(name) + "' is missing");
        return *value;
    };
    const Output x = context.input(0);
    NodeContext::check_shape(x, PartialShape::of_rank(4), "X");
    const float height = scale("height_scale");
    ops::InterpolateAttributes attributes;
    const std::string mode = text_of(context, "mode", "nearest");
    if (mode != "nearest" && mode != "bilinear") throw_unknown("mode", mode);
    attributes.rule.mode =
        mode == "nearest" ? InterpolateMode::nearest : InterpolateMode::linear_onnx;
    attributes.rule.coordinates = CoordinateMode::asymmetric;
    attributes.rule.nearest = NearestMode::simple;
    attributes.extents = ExtentRule::scales;
    return {make_interpolate(
        context, x, {constant_scales(context, {height, scale("width_scale")}), Ints{2, 3}, {}},
        attributes)};
}

}  // namespace rondo::onnx
