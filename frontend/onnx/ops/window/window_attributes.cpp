#include "frontend/onnx/ops/window/window_attributes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

using Ints = std::vector<std::int64_t>;

ops::AutoPad auto_pad_of(NodeContext& context) {
    const std::string name = context.attributes().find_string("auto_pad").value_or("NOTSET");
    if (name == "NOTSET") return ops::AutoPad::explicit_pads;
    if (name == "SAME_UPPER") return ops::AutoPad::same_upper;
    if (name == "SAME_LOWER") return ops::AutoPad::same_lower;
    if (name == "VALID") return ops::AutoPad::valid;
    throw ModelError("attribute 'auto_pad' is '" + name + "'; expected " +
                     quoted_list({"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}));
}

Ints entries_of(NodeContext& context, const char* name, std::size_t size, std::int64_t missing) {
    auto values = context.attributes().find_ints(name).value_or(Ints(size, missing));
    if (values.size() == size) return values;
    throw ModelError("attribute '" + std::string(name) + "' has " + std::to_string(values.size()) +
                     " entries; expected " + std::to_string(size));
}

ops::ConvolutionAttributes window_attributes(NodeContext& context, std::size_t axes) {
    ops::ConvolutionAttributes attributes;
    attributes.auto_pad = auto_pad_of(context);
    attributes.strides = entries_of(context, "strides", axes, 1);
    attributes.dilations = entries_of(context, "dilations", axes, 1);
    // Begins of all axes, then ends.
    const Ints pads = entries_of(context, "pads", 2 * axes, 0);
    const bool padded = std::any_of(pads.begin(), pads.end(), [](auto pad) { return pad != 0; });
    if (padded && attributes.auto_pad != ops::AutoPad::explicit_pads) {
        throw ModelError("both pads and auto_pad are given");
    }
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
    attributes.pads_begin.assign(pads.begin(), middle);
    attributes.pads_end.assign(middle, pads.end());
    return attributes;
}

ops::PoolAttributes pool_attributes(NodeContext& context, const Output& x) {
    const auto kernel = context.attributes().find_ints("kernel_shape");
    if (!kernel) throw ModelError("attribute 'kernel_shape' is missing");
    NodeContext::check_shape(x, PartialShape::of_rank(kernel->size() + 2), "X");
    ops::PoolAttributes attributes;
    attributes.window = window_attributes(context, kernel->size());
    attributes.kernel = *kernel;
    if (context.attributes().flag("ceil_mode", false)) {
        attributes.rounding = ops::PoolRounding::ceil_torch;
    }
    return attributes;
}

std::size_t spatial_axes_of(const Output& data, const Output& filters) {
    for (const auto& input : {data, filters}) {
        if (!input.shape().has_rank()) continue;
        const std::size_t rank = input.shape().rank();
        if (rank >= 3) return rank - 2;
        throw ModelError("an input has shape " + to_string(input.shape()) +
                         "; expected rank 3 or more");
    }
    throw UnsupportedError("neither the rank of X nor that of W is known");
}

Output with_kernel_shape(NodeContext& context, const Output& filters, std::size_t axes) {
    NodeContext::check_shape(filters, PartialShape::of_rank(axes + 2), "W");
    const auto kernel = context.attributes().find_ints("kernel_shape");
    if (!kernel) return filters;
    std::vector<Dimension> expected(2);
    expected.insert(expected.end(), kernel->begin(), kernel->end());
    const PartialShape shape(std::move(expected));
    if (kernel->size() != axes || !filters.shape().intersect(shape)) {
        throw ModelError("W has shape " + to_string(filters.shape()) +
                         "; expected what kernel_shape says: " + to_string(shape));
    }
    return with_extents(context, "w_kernel", filters, shape);
}

std::int64_t group_of(NodeContext& context) {
    const std::int64_t group = context.attributes().find_int("group").value_or(1);
    if (group >= 1) return group;
    throw ModelError("attribute 'group' is " + std::to_string(group) + "; expected 1 or more");
}

Output make_grouped_filters(NodeContext& context, const Output& filters, std::int64_t group) {
    const PartialShape& shape = filters.shape();
    const bool has_rest =
        shape.has_rank() && std::all_of(shape.dimensions().begin() + 1, shape.dimensions().end(),
                                        [](const Dimension& extent) { return extent.is_static(); });
    if (!has_rest) {
        const Output extents = make_shape_of(context, "w_shape", filters);
        const Output rest = context.make<ops::Slice>(
            "w_rest", extents, make_ints(context, "w_rest/start", {1}),
            make_ints(context, "w_rest/stop", {std::int64_t{1} << 31}),
            make_ints(context, "w_rest/step", {1}), make_ints(context, "w_rest/axes", {0}));
        const Output pattern = make_concat(context, "w_grouped/pattern",
                                           {make_ints(context, "w_front", {group, -1}), rest}, 0);
        return context.make<ops::Reshape>("w_grouped", filters, pattern, false);
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
    return context.make<ops::Reshape>("w_grouped", filters,
                                      make_ints(context, "w_grouped/pattern", pattern), false);
}

Output make_biased(NodeContext& context, const Output& sums, const Output& bias,
                   const Dimension& channels, std::size_t axes) {
    if (!bias) return sums;
    NodeContext::check_shape(bias, {channels}, "B");
    const Output known = with_channels(context, "channels", sums, {bias});
    const Output exact = make_exact_channels(context, "bias/exact", bias, known, "B");
    Ints pattern(axes + 2, 1);
    pattern[1] = -1;
    return context.make<ops::Binary>("", ops::BinaryFunction::add, known,
                                     make_reshape(context, "bias", exact, pattern));
}

}  // namespace rondo::onnx
