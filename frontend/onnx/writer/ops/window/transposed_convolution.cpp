// Writes ConvolutionBackpropData and GroupConvolutionBackpropData as ConvTranspose.
#include "core/ops/window/convolution_backprop_data.hpp"

#include <algorithm>

#include "frontend/onnx/writer/ops/window/window_attributes.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Filters [G, C, O, spatial...] as ONNX has them: [G C, O, spatial...].
std::string flat_filters(WriteContext& context) {
    const PartialShape& shape = context.shape(1);
    Ints pattern{-1};
    for (std::size_t i = 2; i < context.rank(1); ++i) {
        if (!shape[i].is_static()) throw UnsupportedError("the filters' extents aren't known");
        pattern.push_back(shape[i].length());
    }
    return context.reshape(context.input(1), pattern);
}

struct Pads {
    Ints begin;
    Ints end;
    Ints output_padding;
};

// What the op chooses for the output's extents: a pad below 0 adds to the output instead.
Pads pads_for_extents(WriteContext& context, const Ints& output_padding) {
    const auto& op = context.op<ops::BackpropBase>();
    const auto data = spatial_shape(context.shape(0));
    const auto output = spatial_shape(context.node().output_shape(0));
    if (!data || !output || !context.shape(1).is_static()) {
        throw UnsupportedError("it has the output's extents as an input, and not all are known");
    }
    Pads pads{{}, {}, output_padding};
    const auto axes = op.axes(*data, context.shape(1).to_shape(), *output);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const ops::ConvolutionAxis& axis = axes[i];
        // output = stride (input - 1) + reach - pads + output_padding
        const std::int64_t end = axis.stride * (axis.input - 1) + reach_of(axis) - axis.pad_begin -
                                 axis.output + output_padding[i];
        pads.begin.push_back(axis.pad_begin);
        pads.end.push_back(end < 0 ? 0 : end);
        if (end < 0) pads.output_padding[i] -= end;
        if (axis.pad_begin < 0 || pads.output_padding[i] >= std::max(axis.stride, axis.dilation)) {
            throw UnsupportedError("its pads are below 0, which ONNX doesn't have");
        }
    }
    return pads;
}

}  // namespace

Names write_transposed(WriteContext& context) {
    check_floating(context);
    const auto& op = context.op<ops::BackpropBase>();
    const bool grouped = context.node().type_name() == "GroupConvolutionBackpropData";
    const std::size_t axes = context.rank(1) - (grouped ? 3 : 2);
    if (grouped && !context.shape(1)[0].is_static()) {
        throw UnsupportedError("the number of groups isn't known");
    }
    const auto filled = [&](const Ints& list) { return list.empty() ? Ints(axes, 0) : list; };
    ops::ConvolutionAttributes window = op.attributes().window;
    Pads pads{filled(window.pads_begin), filled(window.pads_end),
              filled(op.attributes().output_padding)};
    if (window.auto_pad != ops::AutoPad::explicit_pads) pads.begin = pads.end = Ints(axes, 0);
    if (context.has_input(2)) pads = pads_for_extents(context, pads.output_padding);
    window.pads_begin = pads.begin;
    window.pads_end = pads.end;
    window.auto_pad = ops::AutoPad::explicit_pads;
    const std::string filters = grouped ? flat_filters(context) : context.input(1);
    NewNode node = context.emit("ConvTranspose", {context.input(0), filters});
    add_window(node, window, axes);
    if (pads.output_padding != Ints(axes, 0)) {
        node.with_ints("output_padding", pads.output_padding);
    }
    if (grouped) node.with_int("group", context.shape(1)[0].length());
    return {node};
}

}  // namespace rondo::onnx
