// Resizes axes of a tensor: each element is one of the data, or a weighted mean of some.
#include "core/ops/window/samplers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kTarget = 1;
constexpr std::size_t kAxes = 2;
constexpr std::size_t kRoi = 3;
// Nothing is made of pads that are wider than this.
constexpr std::int64_t kMaxPad = std::int64_t{1} << 20;

using Numbers = std::vector<double>;

std::optional<Numbers> numbers_of(const InferContext& context, std::size_t input) {
    const Tensor& value = context.value(input);
    if (!value) return std::nullopt;
    Numbers numbers;
    visit_type(value.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        const T* from = value.data<T>();
        for (std::size_t i = 0; i < value.size(); ++i) {
            if constexpr (std::is_arithmetic_v<T>) {
                numbers.push_back(static_cast<double>(from[i]));
            } else {
                numbers.push_back(static_cast<double>(static_cast<float>(from[i])));
            }
        }
    });
    return numbers;
}

// The number of elements of a vector, if it is known.
std::optional<std::size_t> length_of(const InferContext& context, std::size_t input,
                                     std::string_view what) {
    context.check_rank(input, 1, what);
    const PartialShape& shape = context.shape(input);
    if (!shape.has_rank() || !shape[0].is_static()) return std::nullopt;
    if (shape[0].length() > static_cast<std::int64_t>(kMaxAxes)) {
        context.refuse(std::string(what) + " has shape " + to_string(shape) + "; expected " +
                       std::to_string(kMaxAxes) + " elements at most");
    }
    return static_cast<std::size_t>(shape[0].length());
}

void check_length(const InferContext& context, std::optional<std::size_t> length,
                  std::size_t expected, std::string_view what) {
    if (!length || *length == expected) return;
    context.fail(std::string(what) + " has " + counted(*length, "element") + "; expected " +
                 std::to_string(expected));
}

// Which axes input 1 is about, if that is known.
std::optional<std::vector<std::size_t>> named_axes(const InferContext& context, std::size_t rank) {
    if (context.input_count() > kAxes) {
        const auto axes = context.ints(kAxes);
        if (!axes) return std::nullopt;
        return distinct_axes(context, *axes, rank);
    }
    std::vector<std::size_t> all(rank);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

void check_pads(const InferContext& context, const std::vector<std::int64_t>& pads,
                std::size_t rank) {
    context.check(pads.size() <= rank, "pads have " + std::to_string(pads.size()) +
                                           " entries, but the data has rank " +
                                           std::to_string(rank));
    for (const std::int64_t pad : pads) {
        context.check(pad >= 0, "a pad is " + std::to_string(pad) + "; expected 0 or more");
        if (pad > kMaxPad) {
            context.refuse("a pad is " + std::to_string(pad) + "; expected " +
                           std::to_string(kMaxPad) + " at most");
        }
    }
}

std::int64_t pad_at(const std::vector<std::int64_t>& pads, std::size_t axis) {
    return axis < pads.size() ? pads[axis] : 0;
}

// floor(extent * scale) in f32, as the exporters' runtimes compute it.
std::int64_t scaled_extent(const InferContext& context, std::int64_t extent, double scale) {
    const float product = static_cast<float>(extent) * static_cast<float>(scale);
    if (!(product < static_cast<float>(kMaxElements))) {
        context.fail("an extent of " + std::to_string(extent) + " times a scale of " +
                     std::to_string(scale) + " is too large");
    }
    return static_cast<std::int64_t>(product);
}

void check_target(const InferContext& context, ExtentRule rule, double number) {
    if (rule == ExtentRule::scales) {
        context.check(number > 0 && std::isfinite(number),
                      "scales hold " + std::to_string(number) + "; expected numbers above 0");
    } else {
        context.check(number >= 0 && number <= static_cast<double>(kMaxElements),
                      "sizes hold " + std::to_string(static_cast<std::int64_t>(number)) +
                          "; expected extents of a tensor");
    }
}

// Sets what input 1 says of one axis, all extents of which are known.
void set_target(const InferContext& context, ExtentRule rule, double number, ResizedAxis& axis) {
    const std::int64_t input = axis.pad_begin + axis.input + axis.pad_end;
    if (rule == ExtentRule::scales) {
        axis.scale = number;
        axis.output = scaled_extent(context, input, number);
        axis.length = static_cast<double>(input) * number;
    } else {
        axis.output = static_cast<std::int64_t>(number);
        axis.scale = number / static_cast<double>(input);
        axis.length = number;
    }
    if (input > 0 || axis.output == 0) return;
    context.fail("an axis without elements can't get " + std::to_string(axis.output));
}

// One factor for all the axes: the least or greatest of the quotients. Halves are rounded up.
void keep_aspect_ratio(const InferContext& context, ExtentRule rule,
                       const std::vector<std::size_t>& named, std::vector<ResizedAxis>& axes) {
    if (rule != ExtentRule::not_larger && rule != ExtentRule::not_smaller) return;
    if (named.empty()) return;
    double scale = axes[named.front()].scale;
    for (const std::size_t axis : named) {
        scale = rule == ExtentRule::not_larger ? std::min(scale, axes[axis].scale)
                                               : std::max(scale, axes[axis].scale);
    }
    for (const std::size_t i : named) {
        ResizedAxis& axis = axes[i];
        const auto input = static_cast<double>(axis.pad_begin + axis.input + axis.pad_end);
        if (input == 0) continue;
        axis.scale = scale;
        axis.length = input * scale;
        context.check(axis.length < static_cast<double>(kMaxElements),
                      "the output has an extent that is too large");
        axis.output = static_cast<std::int64_t>(axis.length + 0.5);
    }
}

}  // namespace

bool Interpolate::is_standard() const {
    const TapRule& rule = attributes_.rule;
    const bool filters_by_itself = rule.antialias && (rule.mode == InterpolateMode::linear_onnx ||
                                                      rule.mode == InterpolateMode::cubic);
    return !filters_by_itself && !rule.exclude_outside && !crops() &&
           rule.coordinates != CoordinateMode::half_pixel_symmetric &&
           rule.coordinates != CoordinateMode::align_corners_scaled &&
           (attributes_.extents == ExtentRule::sizes || attributes_.extents == ExtentRule::scales);
}

std::optional<std::vector<ResizedAxis>> Interpolate::axes(const InferContext& context) const {
    const Shape shape = context.shape(0).to_shape();
    std::vector<ResizedAxis> axes;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        ResizedAxis axis;
        axis.input = static_cast<std::int64_t>(shape[i]);
        axis.pad_begin = pad_at(attributes_.pads_begin, i);
        axis.pad_end = pad_at(attributes_.pads_end, i);
        axis.output = axis.pad_begin + axis.input + axis.pad_end;
        axis.length = static_cast<double>(axis.output);
        axes.push_back(axis);
    }
    const auto named = named_axes(context, shape.size());
    const auto targets = numbers_of(context, kTarget);
    if (!named || !targets) return std::nullopt;
    check_length(context, targets->size(), named->size(), "the input of extents");
    for (std::size_t i = 0; i < named->size(); ++i) {
        check_target(context, attributes_.extents, (*targets)[i]);
        set_target(context, attributes_.extents, (*targets)[i], axes[(*named)[i]]);
    }
    keep_aspect_ratio(context, attributes_.extents, *named, axes);
    if (!crops()) return axes;
    const auto roi = numbers_of(context, kRoi);
    if (!roi) return std::nullopt;
    check_length(context, roi->size(), 2 * named->size(), "roi");
    for (std::size_t i = 0; i < named->size(); ++i) {
        axes[(*named)[i]].roi_start = (*roi)[i];
        axes[(*named)[i]].roi_end = (*roi)[named->size() + i];
    }
    return axes;
}

namespace {

// Extents that follow from open ones: those of other axes, sizes, and bounds of scaled ones.
PartialShape open_shape(const InferContext& context, const InterpolateAttributes& attributes) {
    const PartialShape& data = context.shape(0);
    const auto named = named_axes(context, data.rank());
    if (!named) return PartialShape::of_rank(data.rank());
    PartialShape result = data;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        const std::int64_t pads = pad_at(attributes.pads_begin, i) + pad_at(attributes.pads_end, i);
        result[i] = add_extents(context, data[i], pads);
    }
    const auto targets = numbers_of(context, kTarget);
    if (targets) check_length(context, targets->size(), named->size(), "the input of extents");
    for (std::size_t i = 0; i < named->size(); ++i) {
        Dimension& extent = result[(*named)[i]];
        if (!targets) {
            extent = Dimension();
            continue;
        }
        const double number = (*targets)[i];
        check_target(context, attributes.extents, number);
        if (attributes.extents == ExtentRule::sizes) {
            extent = static_cast<std::int64_t>(number);
        } else if (attributes.extents == ExtentRule::scales) {
            extent = {scaled_extent(context, extent.min(), number),
                      extent.max() == Dimension::kInfinity
                          ? Dimension::kInfinity
                          : scaled_extent(context, extent.max(), number)};
        } else {
            extent = Dimension();
        }
    }
    return result;
}

}  // namespace

void Interpolate::infer(InferContext& context) const {
    context.check_input_count(crops() ? 4 : 2, crops() ? 4 : 3);
    const ElementType type = context.type(0);
    if (!is_nearest()) check_type(context, TypeRule::number, type, "the data is");
    const bool is_scaled = attributes_.extents == ExtentRule::scales;
    check_type(context, is_scaled ? TypeRule::floating : TypeRule::integer, context.type(kTarget),
               is_scaled ? "the scales are" : "the sizes are");
    const auto targets = length_of(context, kTarget, is_scaled ? "scales" : "sizes");
    std::optional<std::size_t> named = targets;
    if (context.input_count() > kAxes) {
        check_type(context, TypeRule::integer, context.type(kAxes), "the axes are");
        const auto axes = length_of(context, kAxes, "axes");
        if (axes) check_length(context, targets, *axes, is_scaled ? "scales" : "sizes");
        if (!named) named = axes;
    }
    if (crops()) {
        check_type(context, TypeRule::floating, context.type(kRoi), "the roi is");
        const auto roi = length_of(context, kRoi, "roi");
        if (named) check_length(context, roi, 2 * *named, "roi");
    }
    const PartialShape& data = context.shape(0);
    if (!data.has_rank()) {
        const bool says_rank = context.input_count() <= kAxes && targets;
        context.set_output(0, type, says_rank ? PartialShape::of_rank(*targets) : PartialShape());
        return;
    }
    check_pads(context, attributes_.pads_begin, data.rank());
    check_pads(context, attributes_.pads_end, data.rank());
    if (data.is_static()) {
        if (const auto axes = this->axes(context)) {
            Shape shape;
            for (const ResizedAxis& axis : *axes) {
                shape.push_back(static_cast<std::size_t>(axis.output));
            }
            context.set_output(0, type, shape);
            return;
        }
        // The region decides no extent, but a plan must know it: its call is made with it.
        if (crops()) {
            context.set_output(0, type, PartialShape::of_rank(data.rank()));
            return;
        }
    }
    context.set_output(0, type, open_shape(context, attributes_));
}

std::optional<IndependentAxis> Interpolate::independent_axis(std::size_t, std::size_t axis) const {
    if (input_count() <= kAxes || pad_at(attributes_.pads_begin, axis) != 0 ||
        pad_at(attributes_.pads_end, axis) != 0) {
        return std::nullopt;
    }
    return rows_beside_named_axis(*this, axis, kAxes);
}

}  // namespace rondo::ops
