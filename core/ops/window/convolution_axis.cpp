// One spatial axis of a sliding window: attributes, checks and extents that the window ops share.
#include "core/ops/window/convolutions.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

// floor((input + pads - reach) / stride) + 1; a window that is larger than data and pads has none.
std::int64_t output_extent(const ConvolutionAxis& axis, AutoPad pad) {
    if (is_same(pad)) return (axis.input + axis.stride - 1) / axis.stride;
    const std::int64_t rest = axis.input + axis.pad_begin + axis.pad_end - reach_of(axis);
    return rest < 0 ? 0 : rest / axis.stride + 1;
}

std::int64_t extent_at(ConvolutionAxis axis, std::int64_t input, std::int64_t kernel, AutoPad pad) {
    axis.input = input;
    axis.kernel = kernel;
    return output_extent(axis, pad);
}

}  // namespace

ConvolutionAxis axis_of(const ConvolutionAttributes& attributes, std::size_t i) {
    ConvolutionAxis axis;
    axis.stride = entry_of(attributes.strides, i, 1);
    axis.dilation = entry_of(attributes.dilations, i, 1);
    if (attributes.auto_pad == AutoPad::explicit_pads) {
        axis.pad_begin = entry_of(attributes.pads_begin, i, 0);
        axis.pad_end = entry_of(attributes.pads_end, i, 0);
    }
    return axis;
}

void distribute_pads(ConvolutionAxis& axis, std::int64_t total, AutoPad pad) {
    const std::int64_t smaller = total / 2;
    axis.pad_begin = pad == AutoPad::same_upper ? smaller : total - smaller;
    axis.pad_end = total - axis.pad_begin;
}

void settle(ConvolutionAxis& axis, AutoPad pad) {
    axis.output = output_extent(axis, pad);
    if (!is_same(pad)) return;
    const std::int64_t reach = (axis.output - 1) * axis.stride + reach_of(axis);
    distribute_pads(axis, std::max<std::int64_t>(reach - axis.input, 0), pad);
}

void check_list(const InferContext& context, const WindowList& list, std::size_t spatial) {
    const std::string name = list.name;
    context.check(list.values.empty() || list.values.size() == spatial,
                  name + " has " + std::to_string(list.values.size()) + " entries; expected " +
                      std::to_string(spatial) + ", one a spatial axis");
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        const std::int64_t value = list.values[i];
        context.check(value >= list.least && value <= kMaxWindowAttribute,
                      name + "[" + std::to_string(i) + "] is " + std::to_string(value) +
                          "; expected " + std::to_string(list.least) + " to " +
                          std::to_string(kMaxWindowAttribute));
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

void check_extents(const InferContext& context, const Dimension& input, const Dimension& kernel) {
    context.check(input.min() <= kMaxWindowInput, "the data has a spatial extent of " +
                                                      to_string(input) + "; expected at most " +
                                                      std::to_string(kMaxWindowInput));
    context.check(kernel.max() > 0 && kernel.min() <= kMaxWindowKernel,
                  "the filters have a spatial extent of " + to_string(kernel) + "; expected 1 to " +
                      std::to_string(kMaxWindowKernel));
}

// The largest input with the smallest kernel gives the most.
Dimension window_extent(const InferContext& context, const ConvolutionAttributes& attributes,
                        std::size_t i, const Dimension& input, const Dimension& kernel) {
    check_extents(context, input, kernel);
    const ConvolutionAxis axis = axis_of(attributes, i);
    const AutoPad pad = attributes.auto_pad;
    const std::int64_t least_kernel = std::max<std::int64_t>(kernel.min(), 1);
    const std::int64_t most_kernel = std::min(kernel.max(), kMaxWindowKernel);
    const bool is_bounded = input.max() <= kMaxWindowInput;
    return {extent_at(axis, input.min(), most_kernel, pad),
            is_bounded ? extent_at(axis, input.max(), least_kernel, pad) : Dimension::kInfinity};
}

}  // namespace rondo::ops
