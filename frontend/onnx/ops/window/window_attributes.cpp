#include "frontend/onnx/ops/window/window_attributes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

ops::AutoPad auto_pad_of(NodeContext& by) {
    constexpr std::pair<std::string_view, ops::AutoPad> kAutoPads[] = {
        {"NOTSET", ops::AutoPad::explicit_pads},
        {"SAME_UPPER", ops::AutoPad::same_upper},
        {"SAME_LOWER", ops::AutoPad::same_lower},
        {"VALID", ops::AutoPad::valid}};
    return by.choice("auto_pad", "NOTSET", kAutoPads);
}

Ints entries_of(NodeContext& by, const char* name, std::size_t size, std::int64_t missing) {
    const Ints values = by.attribute(name, Ints(size, missing));
    if (values.size() == size) return values;
    throw ModelError("attribute '" + std::string(name) + "' has " + std::to_string(values.size()) +
                     " entries; expected " + std::to_string(size));
}

ops::ConvolutionAttributes window_attributes(NodeContext& by, std::size_t axes) {
    ops::ConvolutionAttributes attributes;
    attributes.auto_pad = auto_pad_of(by);
    attributes.strides = entries_of(by, "strides", axes, 1);
    attributes.dilations = entries_of(by, "dilations", axes, 1);
    // Begins of all axes, then ends.
    const Ints pads = entries_of(by, "pads", 2 * axes, 0);
    const bool padded = std::any_of(pads.begin(), pads.end(), [](auto pad) { return pad != 0; });
    if (padded && attributes.auto_pad != ops::AutoPad::explicit_pads) {
        throw ModelError("both pads and auto_pad are given");
    }
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
    attributes.pads_begin.assign(pads.begin(), middle);
    attributes.pads_end.assign(middle, pads.end());
    return attributes;
}

ops::PoolAttributes pool_attributes(NodeContext& by, const Output& x) {
    ops::PoolAttributes attributes;
    attributes.kernel = by.required_ints("kernel_shape");
    NodeContext::check_shape(x, PartialShape::of_rank(attributes.kernel.size() + 2), "X");
    attributes.window = window_attributes(by, attributes.kernel.size());
    if (by.attribute("ceil_mode", false)) attributes.rounding = ops::PoolRounding::ceil_torch;
    return attributes;
}

std::size_t spatial_axes_of(const Output& data, const Output& filters) {
    for (const auto& input : {data, filters}) {
        if (input.shape().has_rank()) return NodeContext::rank_of(input, 3, "an input") - 2;
    }
    throw UnsupportedError("neither the rank of X nor that of W is known");
}

Output with_kernel_shape(NodeContext& by, const Output& filters, std::size_t axes) {
    NodeContext::check_shape(filters, PartialShape::of_rank(axes + 2), "W");
    const auto kernel = by.attributes().find_ints("kernel_shape");
    if (!kernel) return filters;
    std::vector<Dimension> expected(2);
    expected.insert(expected.end(), kernel->begin(), kernel->end());
    const PartialShape shape(std::move(expected));
    if (kernel->size() != axes || !filters.shape().intersect(shape)) {
        throw ModelError("W has shape " + to_string(filters.shape()) +
                         "; expected what kernel_shape says: " + to_string(shape));
    }
    return with_extents(by, filters, shape);
}

std::int64_t group_of(NodeContext& by) { return by.attribute_from("group", 1, 1); }

Output grouped_filters(NodeContext& by, const Output& filters, std::int64_t group) {
    const PartialShape& shape = filters.shape();
    const bool has_rest =
        shape.has_rank() && std::all_of(shape.dimensions().begin() + 1, shape.dimensions().end(),
                                        [](const Dimension& extent) { return extent.is_static(); });
    if (!has_rest) {
        const Output rest = by.slice(by.shape_of(filters), 0, 1, kSliceEnd);
        return by.reshape_to(filters, by.concat({by.ints({group, -1}), rest}, 0));
    }
    Ints pattern{group, -1};
    if (shape[0].is_static()) {
        const std::int64_t filter_count = shape[0].length();
        if (filter_count % group != 0) {
            throw ModelError("W has shape " + to_string(shape) + " and 'group' is " +
                             std::to_string(group) +
                             "; expected an extent of axis 0 that the group divides");
        }
        pattern[1] = filter_count / group;
    }
    for (std::size_t i = 1; i < shape.rank(); ++i) pattern.push_back(shape[i].length());
    return by.reshape_to(filters, pattern);
}

Output biased_channels(NodeContext& by, const Output& sums, const Output& bias,
                       const Dimension& channels) {
    if (!bias) return sums;
    NodeContext::check_shape(bias, {channels}, "B");
    const Output known = with_channels(by, sums, {bias});
    const Output exact = exact_channels(by, bias, known, "B");
    return by.add(known, by.reshape(exact, along_axis_pattern(sums.shape().rank(), 1)));
}

}  // namespace rondo::onnx
