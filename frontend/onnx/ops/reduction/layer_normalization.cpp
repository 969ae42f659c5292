// Converts LayerNormalization, which onnxruntime has in all opsets, and RMSNormalization, which it
// also calls SimplifiedLayerNormalization.
#include <string>

#include "core/ops/common/extents.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/messages/tensor_reader.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::ReduceFunction;

// ONNX's numbers of the types that statistics may have.
ElementType stash_type(NodeContext& context) {
    const std::int64_t number = context.attributes().find_int("stash_type").value_or(1);
    switch (number) {
        case 1: return ElementType::f32;
        case 10: return ElementType::f16;
        case 11: return ElementType::f64;
        case 16: return ElementType::bf16;
        default:
            throw UnsupportedError("attribute 'stash_type' is " + std::to_string(number) +
                                   "; expected 1, 10, 11 or 16: a floating type");
    }
}

Output mean_of(NodeContext& context, const std::string& role, const Output& x, const Output& axes) {
    return context.make<ops::Reduce>(role, ReduceFunction::mean, x, axes, true);
}

Output reciprocal(NodeContext& context, const std::string& role, const Output& x) {
    const Output one = make_filled(context, role + "/one", x.element_type(), {}, 1);
    return make_binary(context, role, BinaryFunction::divide, one, x);
}

// Mean and 1 / sqrt(variance + epsilon), for the rare reader of them.
std::vector<Output> statistics(NodeContext& context, const Output& x, const Output& axes,
                               float epsilon, ElementType stash) {
    const Output wide = make_converted(context, "wide", x, arithmetic_type(x.element_type()));
    const Output mean = mean_of(context, "mean", wide, axes);
    const Output square =
        make_binary(context, "square", BinaryFunction::squared_difference, wide, mean);
    const Output root =
        make_root(context, "deviation", mean_of(context, "variance", square, axes), epsilon);
    return {make_converted(context, "mean_out", mean, stash),
            make_converted(context, "inverse_out", reciprocal(context, "inverse", root), stash)};
}

// X, known to have the extents that a parameter has, which is broadcast to it and may be empty.
Output with_extents_of(NodeContext& context, const Output& x, const Output& parameter,
                       const char* what) {
    if (!parameter || !x.shape().has_rank()) return x;
    check_broadcast(parameter.shape(), x.shape(), what);
    return with_extents(context, std::string("x_of_") + what, x,
                        extents_met(parameter.shape(), x.shape()));
}

}  // namespace

std::vector<Output> convert_layer_normalization(NodeContext& context) {
    const Output scale = context.input(1);
    const Output bias = context.optional_input(2);
    const Output x = with_extents_of(
        context, with_extents_of(context, context.input(0), scale, "scale"), bias, "bias");
    NodeContext::known_type(x, "X");
    const ElementType stash = stash_type(context);
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-5F);
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    const Output axes = make_ints(context, "axes", axes_from(x, axis));
    const Output normalised =
        context.make<ops::Mvn>("normalised", x, axes, ops::MvnAttributes{epsilon});
    const bool fits = ops::never_widens(scale.shape(), x.shape()) &&
                      (!bias || ops::never_widens(bias.shape(), x.shape()));
    const std::string last = fits ? "" : "sum";
    Output y =
        make_binary(context, bias ? "scaled" : last, BinaryFunction::multiply, normalised, scale);
    if (bias) y = make_binary(context, last, BinaryFunction::add, y, bias);
    std::vector<Output> outputs{fits ? y : make_in_shape_of(context, "", y, x)};
    if (context.has_output(1) || context.has_output(2)) {
        for (const Output& output : statistics(context, x, axes, epsilon, stash)) {
            outputs.push_back(output);
        }
    }
    return outputs;
}

// x / sqrt(mean(x^2) + epsilon) * scale.
std::vector<Output> convert_rms_normalization(NodeContext& context) {
    const Output scale = context.input(1);
    const Output x = with_extents_of(context, context.input(0), scale, "scale");
    const ElementType type = NodeContext::known_type(x, "X");
    const ElementType stash = stash_type(context);  // arithmetic has as many bits or more
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-5F);
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    const Output axes = make_ints(context, "axes", axes_from(x, axis));
    const Output wide = make_converted(context, "wide", x, arithmetic_type(type));
    const Output square = make_binary(context, "square", BinaryFunction::multiply, wide, wide);
    const Output root = make_root(context, "root", mean_of(context, "mean", square, axes), epsilon);
    const Output quotient = make_binary(context, "quotient", BinaryFunction::divide, wide, root);
    const ElementType scaled = NodeContext::known_type(scale, "scale");
    const Output normalised = make_converted(context, "normalised", quotient, scaled);
    const bool fits = ops::never_widens(scale.shape(), x.shape());
    Output y =
        make_binary(context, fits ? "" : "product", BinaryFunction::multiply, normalised, scale);
    if (!fits) y = make_in_shape_of(context, "", y, x);
    if (!context.has_output(1)) return {y};
    return {y, make_converted(context, "inverse_out", reciprocal(context, "inverse", root), stash)};
}

}  // namespace rondo::onnx
