// Reductions: a row an operator, and compositions of them.
#include "core/ops/reduction/reduction_ops.hpp"

#include <limits>

#include "core/ops/compositions.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The axes are an attribute before this opset, then an input.
constexpr std::int64_t kAxesInputSince = 18;
constexpr std::int64_t kAxesInputOfSumSince = 13;

// What a node says besides its data.
struct Reduction {
    Output axes;
    bool keep_dims;
    bool reduces_nothing = false;  // noop_with_empty_axes, and there are none
};

Output all_axes(NodeContext& by, const Output& data) {
    if (data.shape().has_rank()) return by.ints(ints_from(0, data.shape().rank()));
    throw UnsupportedError("it reduces all axes, but the data's rank isn't known");
}

// Whether the axes, if given, are none: 0 axes mean all in ONNX, but none in the IR.
bool are_none(const Output& axes) {
    const PartialShape& shape = axes.shape();
    if (shape.has_rank() && shape.is_static()) return element_count(shape.to_shape()) == 0;
    throw UnsupportedError("the number of axes isn't known");
}

Reduction reduction_of(NodeContext& by, std::int64_t axes_input_since = kAxesInputSince) {
    const Output data = by.input(0);
    const bool keep_dims = by.attribute("keepdims", true);
    if (by.opset() < axes_input_since) {
        const Ints axes = by.attribute("axes", Ints());
        return {axes.empty() ? all_axes(by, data) : by.ints(axes), keep_dims};
    }
    const Output axes = by.optional_input(1);
    const bool empty_is_none = by.attribute("noop_with_empty_axes", false);
    if (axes && !are_none(axes)) return {axes, keep_dims};
    if (empty_is_none) return {by.ints({}), keep_dims, true};
    return {all_axes(by, data), keep_dims};
}

Output reduced(NodeContext& by, ReduceFunction function, const Output& data,
               const Reduction& along) {
    return by.make<ops::Reduce>(function, data, along.axes, along.keep_dims);
}

// Since opset 20 Max and Min take booleans too. OpenVINO runs the logical reductions along axes
// that are constants alone.
Output reduce_flags(NodeContext& by, ReduceFunction function, const Output& data,
                    const Reduction& along) {
    if (known_value(along.axes)) {
        const bool is_or = function == ReduceFunction::max;
        return reduced(by, is_or ? ReduceFunction::logical_or : ReduceFunction::logical_and, data,
                       along);
    }
    const Output bytes = by.convert(data, ElementType::u8);
    return by.convert(reduced(by, function, bytes, along), ElementType::boolean);
}

std::vector<Output> convert_since(NodeContext& by, ReduceFunction function,
                                  std::int64_t axes_input_since) {
    const Output data = by.input(0);
    const Reduction along = reduction_of(by, axes_input_since);
    // With no axes only the reduction falls away: the norm of a single element is its magnitude.
    const bool is_norm = function == ReduceFunction::l1 || function == ReduceFunction::l2;
    if (is_norm && along.reduces_nothing) return {by.apply(UnaryFunction::abs, data)};
    const bool takes_flags = function == ReduceFunction::max || function == ReduceFunction::min;
    if (takes_flags && data.element_type() == ElementType::boolean) {
        return {reduce_flags(by, function, data, along)};
    }
    return {reduced(by, function, data, along)};
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

std::vector<Output> convert_reduce_sum_square(NodeContext& by) {
    const Output data = by.input(0);
    const Reduction along = reduction_of(by);
    return {reduced(by, ReduceFunction::sum, by.multiply(data, data), along)};
}

std::vector<Output> convert_reduce_log_sum(NodeContext& by) {
    const Output data = by.input(0);
    const Reduction along = reduction_of(by);
    const ElementType type = logarithm_type(data);
    // The sum of integers wraps as that of ReduceSum does.
    const bool is_integer = !is_floating(data.element_type());
    const Output sum =
        reduced(by, ReduceFunction::sum, is_integer ? data : by.convert(data, type), along);
    return {by.convert(by.apply(UnaryFunction::log, by.convert(sum, type)), data.element_type())};
}

// The greatest element is taken off before exp, so that nothing overflows; it is held finite, since
// infinity - infinity would be NaN.
std::vector<Output> convert_reduce_log_sum_exp(NodeContext& by) {
    const Reduction along = reduction_of(by);
    const ElementType result = by.input(0).element_type();
    const ElementType type = logarithm_type(by.input(0));
    const Output data = by.convert(by.input(0), type);
    const double limit = type == ElementType::f32 ? std::numeric_limits<float>::max()
                                                  : std::numeric_limits<double>::max();
    const auto greatest = [&](bool keep_dims) {
        return ops::clip(by, reduced(by, ReduceFunction::max, data, {along.axes, keep_dims}),
                         -limit, limit);
    };
    const Output kept = greatest(true);
    const Output exp = by.apply(UnaryFunction::exp, by.subtract(data, kept));
    const Output log = by.apply(UnaryFunction::log, reduced(by, ReduceFunction::sum, exp, along));
    return {by.convert(by.add(log, along.keep_dims ? kept : greatest(false)), result)};
}

std::vector<Output> convert_reduce_sum(NodeContext& by) {
    return convert_since(by, ReduceFunction::sum, kAxesInputOfSumSince);
}

std::vector<Output> convert_reduce(NodeContext& by, ReduceFunction function) {
    return convert_since(by, function, kAxesInputSince);
}

}  // namespace rondo::onnx
