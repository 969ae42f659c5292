// Reductions: a row an operator, and compositions of them.
#include "core/ops/reduction/reduce.hpp"

#include <limits>
#include <numeric>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::ReduceFunction;
using ops::UnaryFunction;

// The axes are an attribute before this opset, then an input.
constexpr std::int64_t kAxesInputSince = 18;
constexpr std::int64_t kAxesInputOfSumSince = 13;

// What a node says besides its data.
struct Request {
    Output axes;
    bool keep_dims;
    bool reduces_nothing = false;  // noop_with_empty_axes, and there are none
};

Output all_axes(NodeContext& context, const Output& data) {
    if (!data.shape().has_rank()) {
        throw UnsupportedError("it reduces all axes, but the data's rank isn't known");
    }
    std::vector<std::int64_t> axes(data.shape().rank());
    std::iota(axes.begin(), axes.end(), 0);
    return make_ints(context, "axes", axes);
}

// Whether the axes, where given, are none: 0 axes mean all in ONNX, but none in the IR.
bool are_none(const Output& axes) {
    const PartialShape& shape = axes.shape();
    if (shape.has_rank() && shape.is_static()) return element_count(shape.to_shape()) == 0;
    throw UnsupportedError("the number of axes isn't known");
}

Request request_of(NodeContext& context, std::int64_t axes_input_since) {
    const Output data = context.input(0);
    const bool keep_dims = context.attributes().flag("keepdims", true);
    if (context.opset() < axes_input_since) {
        const auto axes = context.attributes().find_ints("axes");
        const bool some = axes && !axes->empty();
        return {some ? make_ints(context, "axes", *axes) : all_axes(context, data), keep_dims};
    }
    const Output axes = context.optional_input(1);
    const bool empty_is_none = context.attributes().flag("noop_with_empty_axes", false);
    if (axes && !are_none(axes)) return {axes, keep_dims};
    if (empty_is_none) return {make_ints(context, "axes", {}), keep_dims, true};
    return {all_axes(context, data), keep_dims};
}

// Whether a reduction of a single element gives its magnitude.
bool is_norm(ReduceFunction function) {
    return function == ReduceFunction::l1 || function == ReduceFunction::l2;
}

// Since opset 20 Max and Min take booleans too.
bool is_of_flags(ReduceFunction function, const Output& data) {
    const bool takes_flags = function == ReduceFunction::max || function == ReduceFunction::min;
    return takes_flags && data.element_type() == ElementType::boolean;
}

// OpenVINO runs the logical reductions along axes that are constants alone.
Output reduce_flags(NodeContext& context, ReduceFunction function, const Output& data,
                    const Request& request) {
    if (known_value(request.axes)) {
        const bool is_or = function == ReduceFunction::max;
        return context.make<ops::Reduce>(
            "", is_or ? ReduceFunction::logical_or : ReduceFunction::logical_and, data,
            request.axes, request.keep_dims);
    }
    const Output bytes = make_converted(context, "bytes", data, ElementType::u8);
    const Output reduced =
        context.make<ops::Reduce>("reduced", function, bytes, request.axes, request.keep_dims);
    return make_converted(context, "", reduced, ElementType::boolean);
}

std::vector<Output> reduced(NodeContext& context, ReduceFunction function,
                            std::int64_t axes_input_since) {
    const Output data = context.input(0);
    const Request request = request_of(context, axes_input_since);
    // With no axes only the reduction falls away.
    if (is_norm(function) && request.reduces_nothing) {
        return {context.make<ops::Unary>("", UnaryFunction::abs, data)};
    }
    if (is_of_flags(function, data)) return {reduce_flags(context, function, data, request)};
    return {context.make<ops::Reduce>("", function, data, request.axes, request.keep_dims)};
}

Output sum(NodeContext& context, const char* role, const Output& data, const Request& request) {
    return context.make<ops::Reduce>(role, ReduceFunction::sum, data, request.axes,
                                     request.keep_dims);
}

// What logarithms are computed in: integers in double, whose results are cut.
ElementType logarithm_type(const Output& data) {
    const ElementType type = NodeContext::known_type(data, "data");
    if (type == ElementType::boolean) {
        throw UnsupportedError("the data is boolean; expected numbers");
    }
    return is_floating(type) ? arithmetic_type(type) : ElementType::f64;
}

}  // namespace

std::vector<Output> convert_reduce_sum_square(NodeContext& context) {
    const Output data = context.input(0);
    const Request request = request_of(context, kAxesInputSince);
    const Output square = context.make<ops::Binary>("square", BinaryFunction::multiply, data, data);
    return {sum(context, "", square, request)};
}

std::vector<Output> convert_reduce_log_sum(NodeContext& context) {
    const Output data = context.input(0);
    const Request request = request_of(context, kAxesInputSince);
    const ElementType type = logarithm_type(data);
    // The sum of integers wraps as that of ReduceSum does.
    const bool is_integer = !is_floating(data.element_type());
    const Output summed = sum(
        context, "sum", is_integer ? data : make_converted(context, "wide", data, type), request);
    const Output log =
        context.make<ops::Unary>(type == data.element_type() ? "" : "log", UnaryFunction::log,
                                 make_converted(context, "sum/wide", summed, type));
    return {make_converted(context, "", log, data.element_type())};
}

// The greatest element is taken off before exp, so that nothing overflows; it is held finite, since
// infinity - infinity would be NaN.
std::vector<Output> convert_reduce_log_sum_exp(NodeContext& context) {
    const Request request = request_of(context, kAxesInputSince);
    const ElementType result = context.input(0).element_type();
    const ElementType type = logarithm_type(context.input(0));
    const Output data = make_converted(context, "wide", context.input(0), type);
    const double limit = type == ElementType::f32 ? std::numeric_limits<float>::max()
                                                  : std::numeric_limits<double>::max();
    const auto bounded = [&](const std::string& role, bool keep_dims) -> Output {
        const Output max =
            context.make<ops::Reduce>(role, ReduceFunction::max, data, request.axes, keep_dims);
        const Output low =
            context.make<ops::Binary>(role + "/low", BinaryFunction::maximum, max,
                                      make_filled(context, role + "/least", type, {}, -limit));
        return context.make<ops::Binary>(role + "/bounded", BinaryFunction::minimum, low,
                                         make_filled(context, role + "/most", type, {}, limit));
    };
    const Output kept = bounded("max", true);
    const Output centred =
        context.make<ops::Binary>("centred", BinaryFunction::subtract, data, kept);
    const Output exp = context.make<ops::Unary>("exp", UnaryFunction::exp, centred);
    const Output log =
        context.make<ops::Unary>("log", UnaryFunction::log, sum(context, "sum", exp, request));
    const Output added = request.keep_dims ? kept : bounded("max_dropped", false);
    const Output total =
        make_binary(context, type == result ? "" : "total", BinaryFunction::add, log, added);
    return {make_converted(context, "", total, result)};
}

std::vector<Output> convert_reduce_sum(NodeContext& context) {
    return reduced(context, ReduceFunction::sum, kAxesInputOfSumSince);
}

std::vector<Output> convert_reduce(NodeContext& context, ReduceFunction function) {
    return reduced(context, function, kAxesInputSince);
}

}  // namespace rondo::onnx
