#include "frontend/onnx/writer/ops/window/window_attributes.hpp"

#include <algorithm>

#include "rondo/error.hpp"

namespace rondo::onnx {

void add_pads(NewNode& node, const Ints& begin, const Ints& end) {
    Ints pads = begin;
    pads.insert(pads.end(), end.begin(), end.end());
    if (std::all_of(pads.begin(), pads.end(), [](auto pad) { return pad == 0; })) return;
    node.with_ints("pads", pads);
}

void add_auto_pad(NewNode& node, ops::AutoPad pad) {
    if (pad == ops::AutoPad::explicit_pads) return;
    const bool is_upper = pad == ops::AutoPad::same_upper;
    node.with_text("auto_pad", pad == ops::AutoPad::valid ? "VALID"
                               : is_upper                 ? "SAME_UPPER"
                                                          : "SAME_LOWER");
}

void add_window(NewNode& node, const ops::ConvolutionAttributes& attributes, std::size_t axes) {
    const auto filled = [&](const Ints& values, std::int64_t otherwise) {
        return values.empty() ? Ints(axes, otherwise) : values;
    };
    node.with_ints("strides", filled(attributes.strides, 1));
    node.with_ints("dilations", filled(attributes.dilations, 1));
    if (attributes.auto_pad != ops::AutoPad::explicit_pads) return;
    add_pads(node, filled(attributes.pads_begin, 0), filled(attributes.pads_end, 0));
}

std::optional<Shape> spatial_shape(const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    Shape known;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (!shape[i].is_static() && i >= 2) return {};
        known.push_back(shape[i].is_static() ? static_cast<std::size_t>(shape[i].length()) : 1);
    }
    return known;
}

void check_floating(const WriteContext& context) {
    if (is_floating(context.type(0))) return;
    throw UnsupportedError("its data is " + std::string(to_string(context.type(0))) +
                           "; ONNX's operator computes on floating types");
}

}  // namespace rondo::onnx
