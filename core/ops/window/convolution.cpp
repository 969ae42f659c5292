#include "core/ops/window/convolution.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

// With attributes and extents within these bounds no product or sum below overflows.
constexpr std::int64_t kMaxAttribute = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t kMaxKernel = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t kMaxInput = std::int64_t{1} << 47;
constexpr std::size_t kMaxSpatialAxes = 3;

std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t i, std::int64_t otherwise) {
    return list.empty() ? otherwise : list[i];
}

// One axis with its attributes; extents are still 0.
ConvolutionAxis axis_of(const ConvolutionAttributes& attributes, std::size_t i) {
    ConvolutionAxis axis;
    axis.stride = entry(attributes.strides, i, 1);
    axis.dilation = entry(attributes.dilations, i, 1);
    if (attributes.auto_pad == AutoPad::explicit_pads) {
        axis.pad_begin = entry(attributes.pads_begin, i, 0);
        axis.pad_end = entry(attributes.pads_end, i, 0);
    }
    return axis;
}

bool is_same(AutoPad pad) { return pad == AutoPad::same_upper || pad == AutoPad::same_lower; }

// The span of data that one output reads, gaps included.
std::int64_t window(const ConvolutionAxis& axis) { return axis.dilation * (axis.kernel - 1) + 1; }

std::int64_t output_extent(const ConvolutionAxis& axis, AutoPad pad) {
    if (is_same(pad)) return (axis.input + axis.stride - 1) / axis.stride;
    return (axis.input + axis.pad_begin + axis.pad_end - window(axis)) / axis.stride + 1;
}

// Distributes the zeros that "same" needs over both ends.
void choose_pads(ConvolutionAxis& axis, AutoPad pad) {
    const std::int64_t reach = (axis.output - 1) * axis.stride + window(axis);
    const std::int64_t total = std::max<std::int64_t>(reach - axis.input, 0);
    const std::int64_t smaller = total / 2;
    axis.pad_begin = pad == AutoPad::same_upper ? smaller : total - smaller;
    axis.pad_end = total - axis.pad_begin;
}

struct List {
    const char* name;
    const std::vector<std::int64_t>& values;
    std::int64_t least;
};

void check_list(const InferContext& context, const List& list, std::size_t spatial) {
    const std::string name = list.name;
    context.check(list.values.empty() || list.values.size() == spatial,
                  name + " has " + std::to_string(list.values.size()) + " entries; expected " +
                      std::to_string(spatial) + ", one a spatial axis");
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        const std::int64_t value = list.values[i];
        context.check(value >= list.least && value <= kMaxAttribute,
                      name + "[" + std::to_string(i) + "] is " + std::to_string(value) +
                          "; expected " + std::to_string(list.least) + " to " +
                          std::to_string(kMaxAttribute));
    }
}

void check_lists(const InferContext& context, const ConvolutionAttributes& attributes,
                 std::size_t spatial) {
    check_list(context, {"strides", attributes.strides, 1}, spatial);
    check_list(context, {"dilations", attributes.dilations, 1}, spatial);
    if (attributes.auto_pad != AutoPad::explicit_pads) return;  // the pads are not read
    check_list(context, {"pads_begin", attributes.pads_begin, 0}, spatial);
    check_list(context, {"pads_end", attributes.pads_end, 0}, spatial);
}

// The number of spatial axes, or nothing while no input's rank is known.
std::optional<std::size_t> spatial_axes(const InferContext& context) {
    const PartialShape& data = context.shape(0);
    const PartialShape& filters = context.shape(1);
    if (!data.has_rank() && !filters.has_rank()) return std::nullopt;
    const PartialShape& known = data.has_rank() ? data : filters;
    context.check(known.rank() >= 3 && known.rank() <= 2 + kMaxSpatialAxes,
                  std::string(data.has_rank() ? "the data has" : "the filters have") + " shape " +
                      to_string(known) + "; expected rank 3, 4 or 5");
    context.check_rank(1, known.rank(), "filters");
    return known.rank() - 2;
}

void check_extents(const InferContext& context, const Dimension& input, const Dimension& kernel) {
    context.check(input.min() <= kMaxInput, "the data has a spatial extent of " + to_string(input) +
                                                "; expected at most " + std::to_string(kMaxInput));
    context.check(kernel.max() > 0 && kernel.min() <= kMaxKernel,
                  "the filters have a spatial extent of " + to_string(kernel) + "; expected 1 to " +
                      std::to_string(kMaxKernel));
}

// The extent for these extents of input and kernel; below 1 if the window doesn't fit.
std::int64_t extent_at(ConvolutionAxis axis, std::int64_t input, std::int64_t kernel, AutoPad pad) {
    axis.input = input;
    axis.kernel = kernel;
    const bool fits = is_same(pad) || input + axis.pad_begin + axis.pad_end >= window(axis);
    return fits ? output_extent(axis, pad) : 0;
}

// An output extent from open ones: the largest input with the smallest kernel gives the most.
Dimension infer_extent(const InferContext& context, const ConvolutionAttributes& attributes,
                       std::size_t i, const Dimension& input, const Dimension& kernel) {
    check_extents(context, input, kernel);
    const ConvolutionAxis axis = axis_of(attributes, i);
    const AutoPad pad = attributes.auto_pad;
    const std::int64_t least_kernel = std::max<std::int64_t>(kernel.min(), 1);
    const std::int64_t most_kernel = std::min(kernel.max(), kMaxKernel);
    std::int64_t most = Dimension::kInfinity;
    if (input.max() <= kMaxInput) {
        most = extent_at(axis, input.max(), least_kernel, pad);
        context.check(most > 0 || is_same(pad),
                      "spatial axis " + std::to_string(i) + " has extent " + to_string(input) +
                          " and pads " + std::to_string(axis.pad_begin) + " + " +
                          std::to_string(axis.pad_end) + ", but the kernel " + to_string(kernel) +
                          " dilated by " + std::to_string(axis.dilation) + " needs more");
    }
    const std::int64_t least = extent_at(axis, input.min(), most_kernel, pad);
    return {is_same(pad) ? least : std::max<std::int64_t>(least, 1), most};
}

}  // namespace

std::vector<ConvolutionAxis> Convolution::axes(const Shape& data, const Shape& filters) const {
    std::vector<ConvolutionAxis> result;
    for (std::size_t i = 0; i + 2 < data.size(); ++i) {
        ConvolutionAxis axis = axis_of(attributes_, i);
        axis.input = static_cast<std::int64_t>(data[i + 2]);
        axis.kernel = static_cast<std::int64_t>(filters[i + 2]);
        axis.output = output_extent(axis, attributes_.auto_pad);
        if (is_same(attributes_.auto_pad)) choose_pads(axis, attributes_.auto_pad);
        result.push_back(axis);
    }
    return result;
}

void Convolution::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) context.refuse("the inputs are boolean; expected numbers");
    const auto spatial = spatial_axes(context);
    if (!spatial) {
        context.set_output(0, type, {});
        return;
    }
    check_lists(context, attributes_, *spatial);
    const PartialShape open = PartialShape::of_rank(*spatial + 2);
    const PartialShape& data = context.shape(0).has_rank() ? context.shape(0) : open;
    const PartialShape& filters = context.shape(1).has_rank() ? context.shape(1) : open;
    context.check(data[1].intersect(filters[1]).has_value(),
                  "the data has shape " + to_string(data) + " but the filters have " +
                      to_string(filters) + "; expected as many channels (axis 1) in both");
    std::vector<Dimension> result{data[0], filters[0]};
    for (std::size_t i = 0; i < *spatial; ++i) {
        result.push_back(infer_extent(context, attributes_, i, data[i + 2], filters[i + 2]));
    }
    context.set_output(0, type, std::move(result));
}

std::optional<IndependentAxis> Convolution::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 1) return std::nullopt;
    IndependentAxis rows(2, 1, axis);
    rows.inputs[axis] = 0;  // N of data, or O of filters
    return rows;
}

}  // namespace rondo::ops
