#include "frontend/onnx/ops/window/conv.hpp"

#include <algorithm>
#include <optional>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/window/convolution.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

ops::AutoPad auto_pad(NodeContext& context) {
    const std::string name = context.attributes().find_string("auto_pad").value_or("NOTSET");
    if (name == "NOTSET") return ops::AutoPad::explicit_pads;
    if (name == "SAME_UPPER") return ops::AutoPad::same_upper;
    if (name == "SAME_LOWER") return ops::AutoPad::same_lower;
    if (name == "VALID") return ops::AutoPad::valid;
    throw ModelError("attribute 'auto_pad' is '" + name + "'; expected " +
                     quoted_list({"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}));
}

// Spatial axes, from whichever input has a known rank.
std::size_t spatial_rank(const Output& data, const Output& filters) {
    for (const auto& input : {data, filters}) {
        if (!input.shape().has_rank()) continue;
        const std::size_t rank = input.shape().rank();
        if (rank >= 3) return rank - 2;
        throw ModelError("an input has shape " + to_string(input.shape()) +
                         "; expected rank 3 or more");
    }
    throw UnsupportedError("neither the rank of X nor that of W is known");
}

Ints ints(NodeContext& context, const char* name, std::size_t size, std::int64_t missing) {
    auto values = context.attributes().find_ints(name).value_or(Ints(size, missing));
    if (values.size() == size) return values;
    throw ModelError("attribute '" + std::string(name) + "' has " + std::to_string(values.size()) +
                     " entries; expected " + std::to_string(size));
}

ops::ConvolutionAttributes attributes_of(NodeContext& context, std::size_t axes) {
    ops::ConvolutionAttributes attributes;
    attributes.auto_pad = auto_pad(context);
    attributes.strides = ints(context, "strides", axes, 1);
    attributes.dilations = ints(context, "dilations", axes, 1);
    // Begins of all axes, then ends.
    const Ints pads = ints(context, "pads", 2 * axes, 0);
    const bool padded = std::any_of(pads.begin(), pads.end(), [](auto pad) { return pad != 0; });
    if (padded && attributes.auto_pad != ops::AutoPad::explicit_pads) {
        throw ModelError("both pads and auto_pad are given");
    }
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
    attributes.pads_begin.assign(pads.begin(), middle);
    attributes.pads_end.assign(middle, pads.end());
    return attributes;
}

// kernel_shape repeats the extents of W's shape.
void check_kernel_shape(NodeContext& context, const Output& filters, std::size_t axes) {
    const auto kernel = context.attributes().find_ints("kernel_shape");
    if (!kernel) return;
    std::vector<Dimension> expected(2);
    expected.insert(expected.end(), kernel->begin(), kernel->end());
    if (kernel->size() != axes || !filters.shape().intersect(PartialShape(expected))) {
        throw ModelError(
            "W has shape " + to_string(filters.shape()) +
            "; expected what kernel_shape says: " + to_string(PartialShape(std::move(expected))));
    }
}

void check_group(NodeContext& context) {
    const std::int64_t group = context.attributes().find_int("group").value_or(1);
    if (group == 1) return;
    throw UnsupportedError("attribute 'group' is " + std::to_string(group) +
                           "; only 1 is supported");
}

std::vector<Output> convert_conv(NodeContext& context) {
    const Output data = context.input(0);
    const Output filters = context.input(1);
    const Output bias = context.optional_input(2);
    const Output sum = convolved(context, bias ? "product" : "", data, filters);
    if (!bias) return {sum};
    const Dimension filter_count = filters.shape().has_rank() ? filters.shape()[0] : Dimension();
    NodeContext::check_shape(bias, {filter_count}, "B");
    return {context.make<ops::Binary>("", ops::BinaryFunction::add, sum,
                                      along_filters(context, "bias", bias, data, filters))};
}

constexpr OpEntry kEntries[] = {
    {"", "Conv", 1, convert_conv},
};

}  // namespace

Output convolved(NodeContext& context, const std::string& role, const Output& data,
                 const Output& filters) {
    check_group(context);
    const std::size_t axes = spatial_rank(data, filters);
    check_kernel_shape(context, filters, axes);
    return context.make<ops::Convolution>(role, data, filters, attributes_of(context, axes));
}

Output along_filters(NodeContext& context, const std::string& role, const Output& vector,
                     const Output& data, const Output& filters) {
    if (!vector.shape().has_rank() || vector.shape().rank() != 1) return vector;
    Ints pattern(spatial_rank(data, filters) + 2, 1);
    pattern[1] = -1;
    return make_reshape(context, role, vector, pattern);
}

std::span<const OpEntry> conv_converters() { return kEntries; }

}  // namespace rondo::onnx
