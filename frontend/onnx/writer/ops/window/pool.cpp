// Writes MaxPool and AvgPool.
#include "core/ops/window/pool.hpp"

#include <algorithm>

#include "frontend/onnx/writer/ops/window/window_attributes.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// ONNX leaves out a last window that would start behind the data and its first pads.
bool may_start_behind(const ops::PoolAttributes& attributes, std::size_t i) {
    ops::ConvolutionAxis axis = axis_of(attributes.window, i);
    axis.kernel = attributes.kernel[i];
    return axis.pad_end + axis.stride > reach_of(axis);
}

// ONNX counts no elements behind the pads.
void check_counts(const WriteContext& context, const ops::AvgPool& op) {
    const ops::PoolAttributes& attributes = op.attributes();
    const auto& window = attributes.window;
    const auto has_pads = [](const Ints& pads) {
        return std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; });
    };
    if (attributes.rounding != ops::PoolRounding::ceil || is_same(window.auto_pad) ||
        op.exclude_pad() || !(has_pads(window.pads_begin) || has_pads(window.pads_end))) {
        return;
    }
    const auto data = spatial_shape(context.shape(0));
    for (std::size_t i = 0; i < attributes.kernel.size(); ++i) {
        if (data) {
            const ops::ConvolutionAxis axis = op.axes(*data)[i];
            const std::int64_t end = (axis.output - 1) * axis.stride + reach_of(axis);
            if (end <= axis.input + axis.pad_begin + axis.pad_end) continue;
        } else if (axis_of(window, i).stride == 1) {
            continue;
        }
        throw UnsupportedError("its last window may count elements behind the pads; ONNX doesn't");
    }
}

void check_rounding(const WriteContext& context, const ops::PoolBase& op) {
    const ops::PoolAttributes& attributes = op.attributes();
    if (attributes.rounding != ops::PoolRounding::ceil || is_same(attributes.window.auto_pad)) {
        return;
    }
    const auto data = spatial_shape(context.shape(0));
    for (std::size_t i = 0; i < attributes.kernel.size(); ++i) {
        if (!may_start_behind(attributes, i)) continue;
        if (data) {
            const ops::ConvolutionAxis axis = op.axes(*data)[i];
            if ((axis.output - 1) * axis.stride < axis.input + axis.pad_begin) continue;
        }
        throw UnsupportedError("its last window may start behind the data; ONNX leaves it out");
    }
}

void add_attributes(const WriteContext& context, NewNode& node) {
    const auto& op = context.op<ops::PoolBase>();
    check_rounding(context, op);
    ops::ConvolutionAttributes window = op.attributes().window;
    const auto data = spatial_shape(context.shape(0));
    if (is_same(window.auto_pad) && data) {
        window.pads_begin.clear();
        window.pads_end.clear();
        for (const ops::ConvolutionAxis& axis : op.axes(*data)) {
            window.pads_begin.push_back(axis.pad_begin);
            window.pads_end.push_back(axis.pad_end);
        }
        window.auto_pad = ops::AutoPad::explicit_pads;
    }
    node.with_ints("kernel_shape", op.attributes().kernel);
    add_window(node, window, op.attributes().kernel.size());
    add_auto_pad(node, window.auto_pad);
    const bool ceils = op.attributes().rounding != ops::PoolRounding::floor &&
                       !is_same(op.attributes().window.auto_pad);
    if (ceils) node.with_int("ceil_mode", 1);
}

// ONNX takes floating types and 8 bits; f64 holds all integers of 16 and 32.
ElementType pooling_type(ElementType type) {
    switch (type) {
        case ElementType::i16:
        case ElementType::u16:
        case ElementType::i32:
        case ElementType::u32: return ElementType::f64;
        case ElementType::i64:
        case ElementType::u64: throw UnsupportedError("ONNX pools no integers of 64 bits");
        default: return type;
    }
}

// ONNX counts the places in all of the data; from `axis` on they are what is left of the volume of
// these axes.
std::string places_from(WriteContext& context, const std::string& places, std::int64_t axis) {
    if (axis < 0) axis += static_cast<std::int64_t>(context.rank(0));
    if (axis == 0) return places;
    Ints axes = counted_ints(context.rank(0));
    axes.erase(axes.begin(), axes.begin() + axis);
    const std::string extents = context.elements(context.shape_of(context.input(0)), axes);
    const std::string volume = context.emit("ReduceProd", {extents}).with_int("keepdims", 0);
    return context.emit("Mod", {places, volume});
}

}  // namespace

Names write_max_pool(WriteContext& context) {
    const ElementType type = pooling_type(context.type(0));
    const auto& op = context.op<ops::MaxPool>();
    const bool has_places = !op.consumers(1).empty();
    NewNode node = context.emit("MaxPool", {context.input_as(0, type)}, has_places ? 2 : 1);
    add_attributes(context, node);
    Names outputs{context.cast(node, type, context.type(0)), ""};
    if (has_places) {
        outputs[1] = context.cast(places_from(context, node.output(1), op.axis()), ElementType::i64,
                                  op.output_type(1));
    }
    return outputs;
}

Names write_avg_pool(WriteContext& context) {
    check_floating(context);
    const auto& op = context.op<ops::AvgPool>();
    check_counts(context, op);
    NewNode node = context.emit("AveragePool", {context.input(0)});
    add_attributes(context, node);
    if (!op.exclude_pad()) node.with_int("count_include_pad", 1);
    return {node};
}

}  // namespace rondo::onnx
