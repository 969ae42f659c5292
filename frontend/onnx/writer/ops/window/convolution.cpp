// Writes Convolution, GroupConvolution and DeformableConvolution.
#include "core/ops/window/convolution.hpp"

#include "core/ops/window/deformable_convolution.hpp"
#include "frontend/onnx/writer/ops/window/byte_operand.hpp"
#include "frontend/onnx/writer/ops/window/window_attributes.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Filters [G, O, C, spatial...] as ONNX has them: [G O, C, spatial...].
std::string flat_filters(WriteContext& context, const std::string& filters) {
    const PartialShape& shape = context.shape(1);
    Ints pattern{-1};
    for (std::size_t i = 2; i < context.rank(1); ++i) {
        if (!shape[i].is_static()) {
            const std::string extents = context.shape_of(filters);
            Ints rest = counted_ints(shape.rank());
            rest.erase(rest.begin(), rest.begin() + 2);
            return context.emit(
                "Reshape",
                {filters, context.joined({context.ints({-1}), context.elements(extents, rest)})});
        }
        pattern.push_back(shape[i].length());
    }
    return context.reshape(filters, pattern);
}

std::int64_t group_count(const WriteContext& context) {
    context.rank(1);
    if (context.shape(1)[0].is_static()) return context.shape(1)[0].length();
    throw UnsupportedError("the number of groups isn't known");
}

// The pads that the op chooses, where the extents decide them: not all runtimes choose alike.
ops::ConvolutionAttributes with_known_pads(WriteContext& context) {
    const auto& op = context.op<ops::ConvolutionBase>();
    ops::ConvolutionAttributes attributes = op.attributes();
    const auto data = spatial_shape(context.shape(0));
    if (!is_same(attributes.auto_pad) || !data || !context.shape(1).is_static()) return attributes;
    attributes.pads_begin.clear();
    attributes.pads_end.clear();
    for (const ops::ConvolutionAxis& axis : op.axes(*data, context.shape(1).to_shape())) {
        attributes.pads_begin.push_back(axis.pad_begin);
        attributes.pads_end.push_back(axis.pad_end);
    }
    attributes.auto_pad = ops::AutoPad::explicit_pads;
    return attributes;
}

// The node without its window. Integers are 8-bit numbers less their zero points.
NewNode product(WriteContext& context, bool grouped) {
    const auto flat = [&](const std::string& filters) {
        return grouped ? flat_filters(context, filters) : filters;
    };
    const bool may_be_bytes = context.type(0) == ElementType::i32;
    const auto data = may_be_bytes ? byte_operand(context, 0) : std::nullopt;
    const auto filters = data ? byte_operand(context, 1) : std::nullopt;
    if (!filters) {
        check_floating(context);
        return context.emit("Conv", {context.input(0), flat(context.input(1))});
    }
    return context.emit("ConvInteger", {data->values, flat(filters->values), data->zero_point,
                                        filters->zero_point});
}

}  // namespace

Names write_convolution(WriteContext& context) {
    const bool grouped = context.node().type_name() == "GroupConvolution";
    const std::size_t axes = context.rank(1) - (grouped ? 3 : 2);
    const ops::ConvolutionAttributes attributes = with_known_pads(context);
    NewNode node = product(context, grouped);
    add_window(node, attributes, axes);
    add_auto_pad(node, attributes.auto_pad);
    if (grouped) node.with_int("group", group_count(context));
    return {node};
}

// ONNX's inputs are data, filters, offsets, bias and factors.
Names write_deformable(WriteContext& context) {
    const auto& op = context.op<ops::DeformableConvolution>();
    if (!op.pads_by_zero()) {
        throw UnsupportedError(
            "elements at the data's end stand for those behind it; ONNX has "
            "zeros there");
    }
    ops::ConvolutionAttributes attributes = op.attributes();
    if (is_same(attributes.auto_pad)) throw UnsupportedError("ONNX has explicit pads alone");
    if (attributes.auto_pad == ops::AutoPad::valid) {
        attributes = {attributes.strides, attributes.dilations};
    }
    Names inputs{context.input(0), context.input(2), context.input(1)};
    if (context.has_input(3)) inputs.insert(inputs.end(), {"", context.input(3)});
    NewNode node = context.emit("DeformConv", inputs);
    add_window(node, attributes, 2);
    node.with_int("group", op.group()).with_int("offset_group", op.offset_group());
    return {node};
}

}  // namespace rondo::onnx
