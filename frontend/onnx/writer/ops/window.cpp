// Convolutions, transposed ones, pools and Col2Im: operators that slide a window.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

Ints filled(const Ints& values, std::size_t count, std::int64_t otherwise) {
    return values.empty() ? Ints(count, otherwise) : values;
}

// Strides, dilations and pads, or the rule by which the operator chooses these.
void add_window(NewNode& node, const ops::ConvolutionAttributes& attributes, std::size_t axes) {
    node.with("strides", filled(attributes.strides, axes, 1))
        .with("dilations", filled(attributes.dilations, axes, 1));
    switch (attributes.auto_pad) {
        case ops::AutoPad::same_lower: node.with("auto_pad", "SAME_LOWER"); return;
        case ops::AutoPad::same_upper: node.with("auto_pad", "SAME_UPPER"); return;
        case ops::AutoPad::valid: node.with("auto_pad", "VALID"); return;
        case ops::AutoPad::explicit_pads: break;
    }
    Ints pads = filled(attributes.pads_begin, axes, 0);
    const Ints end = filled(attributes.pads_end, axes, 0);
    pads.insert(pads.end(), end.begin(), end.end());
    if (pads != Ints(pads.size(), 0)) node.with("pads", pads);
}

// The pads that the op chooses, if the extents decide them: not all runtimes choose alike.
void set_pads(ops::ConvolutionAttributes& window, const std::vector<ops::ConvolutionAxis>& axes) {
    window.auto_pad = ops::AutoPad::explicit_pads;
    window.pads_begin.clear();
    window.pads_end.clear();
    for (const ops::ConvolutionAxis& axis : axes) {
        window.pads_begin.push_back(axis.pad_begin);
        window.pads_end.push_back(axis.pad_end);
    }
}

// The shape with extent 1 for open extents of the first two axes; nothing if others are open.
std::optional<Shape> spatial_shape(const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    Shape known;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (!shape[i].is_static() && i >= 2) return {};
        known.push_back(shape[i].is_static() ? static_cast<std::size_t>(shape[i].length()) : 1);
    }
    return known;
}

// ONNX's operators compute on floating types.
void check_floating(const WriteContext& context) {
    if (is_floating(context.type(0))) return;
    throw UnsupportedError("its data is " + std::string(to_string(context.type(0))) +
                           "; ONNX's operator computes on floating types");
}

struct ByteOperand {
    std::string values;      ///< u8 or i8
    std::string zero_point;  ///< of the same type, of rank 0; "" for 0
};

// What a Convert widens, if it is one of 8-bit numbers.
Output widened_bytes(const Output& value) {
    const auto convert = as<ops::Convert>(value);
    const ElementType type = convert ? convert->input(0).element_type() : ElementType::dynamic;
    return is_integral(type) && size_of(type) == 1 ? convert->input(0) : Output();
}

// Constants whose extremes are at most 255 apart, as u8 less a zero point.
std::optional<ByteOperand> constant_bytes(WriteContext& context, const Output& source,
                                          const Tensor& known) {
    const auto values = to_int64_vector(known);
    if (values.empty()) return std::nullopt;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::int64_t least = std::min<std::int64_t>(0, *low);
    if (std::max<std::int64_t>(0, *high) - least > 255) return std::nullopt;
    Tensor bytes(ElementType::u8, known.shape());
    std::transform(values.begin(), values.end(), bytes.data<std::uint8_t>(),
                   [&](std::int64_t value) { return static_cast<std::uint8_t>(value - least); });
    return ByteOperand{context.constant(bytes, source.node().name()),
                       context.number(ElementType::u8, static_cast<double>(-least))};
}

// What is subtracted, in the type of the numbers that it is subtracted from.
std::optional<std::string> zero_point(WriteContext& context, const Output& taken,
                                      ElementType type) {
    const PartialShape& shape = taken.shape();
    if (!shape.is_static() || element_count(shape.to_shape()) != 1) return std::nullopt;
    if (const Output point = widened_bytes(taken)) {
        if (point.element_type() != type) return std::nullopt;
        return context.as_scalar(context.draft().name_of(point), shape);
    }
    const Tensor known = known_value(taken);
    if (!known) return std::nullopt;
    const std::int64_t point = to_int64_vector(known).front();
    const std::int64_t least = type == ElementType::u8 ? 0 : -128;
    if (point < least || point > least + 255) return std::nullopt;
    return context.number(type, static_cast<double>(point));
}

// The input of that number, of i32, as such; nothing if it isn't known to be one: neither a
// constant of such numbers nor a Convert of them, from which a scalar may be subtracted.
std::optional<ByteOperand> byte_operand(WriteContext& context, std::size_t index) {
    const Output& source = context.node().input(index);
    if (const Tensor known = known_value(source)) return constant_bytes(context, source, known);
    const bool is_difference = is(source.node(), ops::BinaryFunction::subtract);
    const Output bytes = widened_bytes(is_difference ? source.node().input(0) : source);
    if (!bytes) return std::nullopt;
    std::string point;
    if (is_difference) {
        const auto found = zero_point(context, source.node().input(1), bytes.element_type());
        if (!found) return std::nullopt;
        point = *found;
    }
    return ByteOperand{context.draft().name_of(bytes), point};
}

// Filters [G, O, C, spatial...] or [G, C, O, spatial...] as ONNX has them: the first two as one.
std::string flat_filters(WriteContext& context, const std::string& filters) {
    const PartialShape& shape = context.shape(1);
    Ints pattern{-1};
    for (std::size_t i = 2; i < context.rank(1); ++i) {
        if (!shape[i].is_static()) {
            const std::string extents = context.shape_of(filters);
            const std::string all = context.ints({-1});
            const std::string kept = context.elements(extents, counted_ints(shape.rank(), 2));
            return context.emit("Reshape", {filters, context.joined({all, kept})});
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

// What the op chooses for the output's extents: a pad below 0 adds to the output instead.
void set_pads_for_extents(const WriteContext& context, ops::BackpropAttributes& attributes) {
    const auto& op = context.op<ops::BackpropBase>();
    const auto data = spatial_shape(context.shape(0));
    const auto output = spatial_shape(context.node().output_shape(0));
    if (!data || !output || !context.shape(1).is_static()) {
        throw UnsupportedError("it has the output's extents as an input, and not all are known");
    }
    auto axes = op.axes(*data, context.shape(1).to_shape(), *output);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        ops::ConvolutionAxis& axis = axes[i];
        std::int64_t& padding = attributes.output_padding[i];
        // output = stride (input - 1) + reach - pads + output_padding
        axis.pad_end = axis.stride * (axis.input - 1) + reach_of(axis) - axis.pad_begin -
                       axis.output + padding;
        if (axis.pad_end < 0) padding -= std::exchange(axis.pad_end, 0);
        if (axis.pad_begin < 0 || padding >= std::max(axis.stride, axis.dilation)) {
            throw UnsupportedError("its pads are below 0, which ONNX doesn't have");
        }
    }
    set_pads(attributes.window, axes);
}

// With the rounding `ceil` ONNX leaves out a last window that would start after the data and its
// first pads, and counts no elements after the pads.
void check_last_windows(const WriteContext& context, bool counts_pads) {
    const auto& op = context.op<ops::PoolBase>();
    const ops::PoolAttributes& attributes = op.attributes();
    if (attributes.rounding != ops::PoolRounding::ceil || is_same(attributes.window.auto_pad)) {
        return;
    }
    const auto data = spatial_shape(context.shape(0));
    const auto axes = op.axes(data.value_or(Shape(attributes.kernel.size() + 2, 1)));
    const bool is_padded = std::any_of(axes.begin(), axes.end(), [](const auto& axis) {
        return axis.pad_begin != 0 || axis.pad_end != 0;
    });
    for (const ops::ConvolutionAxis& axis : axes) {
        const std::int64_t start = (axis.output - 1) * axis.stride;
        const std::int64_t end = axis.input + axis.pad_begin + axis.pad_end;
        const bool may_count = data ? start + reach_of(axis) > end : axis.stride != 1;
        if (counts_pads && is_padded && may_count) {
            throw UnsupportedError(
                "its last window may count elements behind the pads; ONNX doesn't");
        }
        const bool may_start_behind = axis.pad_end + axis.stride > reach_of(axis);
        if (may_start_behind && (!data || start >= axis.input + axis.pad_begin)) {
            throw UnsupportedError("its last window may start behind the data; ONNX leaves it out");
        }
    }
}

void add_pool_attributes(const WriteContext& context, NewNode& node) {
    const auto& op = context.op<ops::PoolBase>();
    const ops::PoolAttributes& attributes = op.attributes();
    ops::ConvolutionAttributes window = attributes.window;
    const bool chooses_pads = is_same(window.auto_pad);
    const auto data = spatial_shape(context.shape(0));
    if (chooses_pads && data) set_pads(window, op.axes(*data));
    node.with("kernel_shape", attributes.kernel);
    add_window(node, window, attributes.kernel.size());
    const bool rounds_up = attributes.rounding != ops::PoolRounding::floor;
    if (rounds_up && !chooses_pads) node.with("ceil_mode", true);
}

// ONNX takes floating types and 8 bits; f64 holds all integers of 16 and 32.
ElementType pooling_type(ElementType type) {
    if (!is_integral(type) || size_of(type) == 1) return type;
    if (size_of(type) == 8) throw UnsupportedError("ONNX pools no integers of 64 bits");
    return ElementType::f64;
}

// ONNX counts the places in all of the data; from `axis` on they are what is left of the volume of
// these axes.
std::string places_from(WriteContext& context, const std::string& places, std::int64_t axis) {
    axis = context.from_front(axis);
    if (axis == 0) return places;
    const Ints axes = counted_ints(context.rank(0), static_cast<std::size_t>(axis));
    const std::string extents = context.elements(context.shape_of(context.input(0)), axes);
    const std::string volume = context.emit("ReduceProd", {extents}).with("keepdims", 0);
    return context.emit("Mod", {places, volume});
}

}  // namespace

Names write_convolution(WriteContext& context) {
    const auto& op = context.op<ops::ConvolutionBase>();
    const bool grouped = context.name() == "GroupConvolution";
    const std::size_t axes = context.rank(1) - (grouped ? 3 : 2);
    ops::ConvolutionAttributes attributes = op.attributes();
    const auto data = spatial_shape(context.shape(0));
    if (is_same(attributes.auto_pad) && data && context.shape(1).is_static()) {
        set_pads(attributes, op.axes(*data, context.shape(1).to_shape()));
    }
    NewNode node = product(context, grouped);
    add_window(node, attributes, axes);
    if (grouped) node.with("group", group_count(context));
    return node;
}

// ONNX's inputs are data, filters, offsets, bias and factors.
Names write_deformable(WriteContext& context) {
    const auto& op = context.op<ops::DeformableConvolution>();
    if (!op.pads_by_zero()) {
        throw UnsupportedError(
            "elements at the data's end stand for those behind it; ONNX has zeros there");
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
    node.with("group", op.group()).with("offset_group", op.offset_group());
    return node;
}

Names write_transposed(WriteContext& context) {
    check_floating(context);
    const bool grouped = context.name() == "GroupConvolutionBackpropData";
    const std::size_t axes = context.rank(1) - (grouped ? 3 : 2);
    const Ints zeros(axes, 0);
    ops::BackpropAttributes attributes = context.op<ops::BackpropBase>().attributes();
    attributes.output_padding = filled(attributes.output_padding, axes, 0);
    if (attributes.window.auto_pad != ops::AutoPad::explicit_pads) {
        set_pads(attributes.window, std::vector<ops::ConvolutionAxis>(axes));
    }
    if (context.has_input(2)) set_pads_for_extents(context, attributes);
    std::string filters = context.input(1);
    if (grouped) filters = flat_filters(context, filters);
    NewNode node = context.emit("ConvTranspose", {context.input(0), filters});
    add_window(node, attributes.window, axes);
    if (attributes.output_padding != zeros) node.with("output_padding", attributes.output_padding);
    if (grouped) node.with("group", group_count(context));
    return node;
}

Names write_max_pool(WriteContext& context) {
    const ElementType type = pooling_type(context.type(0));
    check_last_windows(context, false);
    const auto& op = context.op<ops::MaxPool>();
    const bool has_places = !op.consumers(1).empty();
    NewNode node = context.emit("MaxPool", {context.input_as(0, type)}, has_places ? 2 : 1);
    add_pool_attributes(context, node);
    Names outputs{context.cast(node, type, context.type(0)), ""};
    if (has_places) {
        outputs[1] = context.cast(places_from(context, node.output(1), op.axis()), ElementType::i64,
                                  op.output_type(1));
    }
    return outputs;
}

Names write_avg_pool(WriteContext& context) {
    check_floating(context);
    const bool counts_pads = !context.op<ops::AvgPool>().exclude_pad();
    check_last_windows(context, counts_pads);
    NewNode node = context.emit("AveragePool", {context.input(0)});
    add_pool_attributes(context, node);
    if (counts_pads) node.with("count_include_pad", true);
    return node;
}

// ONNX always has a batch.
Names write_col2im(WriteContext& context) {
    const bool has_batch = context.rank(0) == 3;
    const std::size_t axes = context.known_length(context.length(1) ? 1 : 2, "axes");
    const std::string data =
        has_batch ? context.input(0) : context.unsqueeze(context.input(0), {0});
    NewNode node = context.emit("Col2Im", {data, context.wide_input(1), context.wide_input(2)});
    add_window(node, context.op<ops::Col2Im>().attributes(), axes);
    return {has_batch ? std::string(node) : context.squeeze(node, {0})};
}

}  // namespace rondo::onnx
