// Writes Convolution, GroupConvolution and DeformableConvolution.
#include <algorithm>
#include <optional>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/window/convolution.hpp"
#include "core/ops/window/deformable_convolution.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/window/window_attributes.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

struct ByteOperand {
    std::string values;      ///< u8 or i8
    std::string zero_point;  ///< of the same type, of rank 0; "" for 0
};

bool is_byte(ElementType type) { return type == ElementType::u8 || type == ElementType::i8; }

// What a Convert widens, if it is one of 8-bit numbers.
Output widened_bytes(const Output& value) {
    const auto convert = as<ops::Convert>(value);
    return convert && is_byte(convert->input(0).element_type()) ? convert->input(0) : Output();
}

bool has_one_element(const Output& value) {
    const PartialShape& shape = value.shape();
    return shape.has_rank() && shape.is_static() && element_count(shape.to_shape()) == 1;
}

// Constants whose extremes are at most 255 apart, as u8 less a zero point.
std::optional<ByteOperand> constant_bytes(WriteContext& context, const Output& source,
                                          const Tensor& known) {
    const auto values = to_int64_vector(known);
    if (values.empty()) return std::nullopt;
    const std::int64_t least =
        std::min<std::int64_t>(0, *std::min_element(values.begin(), values.end()));
    const std::int64_t most =
        std::max<std::int64_t>(0, *std::max_element(values.begin(), values.end()));
    if (most - least > 255) return std::nullopt;
    Tensor bytes(ElementType::u8, known.shape());
    std::transform(values.begin(), values.end(), bytes.data<std::uint8_t>(),
                   [&](std::int64_t value) { return static_cast<std::uint8_t>(value - least); });
    return ByteOperand{context.constant(bytes, source.node().name()),
                       context.number(ElementType::u8, static_cast<double>(-least))};
}

// The input of that number, of i32, as such; nothing where it isn't known to be one: neither a
// constant of such numbers nor a Convert of them, from which a scalar may be subtracted.
std::optional<ByteOperand> byte_operand(WriteContext& context, std::size_t index) {
    const Output& source = context.node().input(index);
    if (const Tensor known = known_value(source)) return constant_bytes(context, source, known);
    GraphDraft& draft = context.draft();
    if (const Output bytes = widened_bytes(source)) return ByteOperand{draft.name_of(bytes), ""};
    const auto difference = as<ops::Binary>(source);
    if (!difference || difference->function() != ops::BinaryFunction::subtract) return std::nullopt;
    const Output bytes = widened_bytes(difference->input(0));
    const Output& taken = difference->input(1);
    if (!bytes || !has_one_element(taken)) return std::nullopt;
    std::string zero_point;
    if (const Output point = widened_bytes(taken)) {
        if (point.element_type() != bytes.element_type()) return std::nullopt;
        zero_point = draft.name_of(point);
        if (taken.shape().rank() != 0) zero_point = context.reshape(zero_point, {});
        return ByteOperand{draft.name_of(bytes), zero_point};
    }
    const Tensor known = known_value(taken);
    if (!known) return std::nullopt;
    const std::int64_t point = to_int64_vector(known).front();
    const bool is_unsigned = bytes.element_type() == ElementType::u8;
    if (point < (is_unsigned ? 0 : -128) || point > (is_unsigned ? 255 : 127)) return std::nullopt;
    zero_point = context.number(bytes.element_type(), static_cast<double>(point));
    return ByteOperand{draft.name_of(bytes), zero_point};
}

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
