// Reductions: one operator, or integers in 64 bits where ONNX's would be too narrow.
#include "core/ops/reduction/reduce.hpp"

#include "core/support/errors.hpp"
#include "core/support/tables.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/reduction/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::ReduceFunction;

// Distinct ones, as ONNX wants them: [axes].
std::string axes_of(WriteContext& context) {
    const auto known = context.find_ints(1);
    if (!known) return context.reshape(context.input_as(1, ElementType::i64), {-1});
    return context.ints(context.distinct_axes(*known));
}

std::string reduced(WriteContext& context, const char* name, const std::string& data) {
    const bool keep = context.op<ops::Reduce>().keep_dims();
    return context.emit(name, {data, axes_of(context)})
        .with_int("keepdims", keep ? 1 : 0)
        .with_int("noop_with_empty_axes", 1);
}

// How many elements become one, i64 of rank 0.
std::string count_of(WriteContext& context) {
    const std::string extents =
        context.emit("Gather", {context.shape_of(context.input(0)), axes_of(context)});
    return context.emit("ReduceProd", {extents}).with_int("keepdims", 0);
}

// The greatest r with r^2 <= sum, for 0 <= sum < 2^63: the root in f64 may be off by one.
std::string whole_root(WriteContext& context, const std::string& sum) {
    const auto i64 = ElementType::i64;
    const std::string real = context.emit("Sqrt", {context.cast(sum, i64, ElementType::f64)});
    const std::string root = context.cast(real, ElementType::f64, i64);
    const auto squared = [&](const std::string& x) -> std::string {
        return context.emit("Mul", {x, x});
    };
    const auto flag = [&](const std::string& value) {
        return context.cast(value, ElementType::boolean, i64);
    };
    const std::string above = flag(context.emit("Greater", {squared(root), sum}));
    const std::string low = context.emit("Sub", {root, above});
    const std::string next = context.emit("Add", {low, context.scalar(1)});
    const std::string fits = flag(context.emit("LessOrEqual", {squared(next), sum}));
    return context.emit("Add", {low, fits});
}

// Sums and products in 64 bits, of which the result keeps the lowest.
std::string reduce_integers(WriteContext& context, ReduceFunction function) {
    const ElementType type = context.type(0);
    const bool is_wide = type == ElementType::i64 || type == ElementType::u64;
    const bool rounds = function == ReduceFunction::l2 || function == ReduceFunction::mean;
    if (is_wide && rounds && type == ElementType::u64) {
        throw UnsupportedError("ONNX computes no mean or root of u64");
    }
    const ElementType wide = type == ElementType::u64 ? type : ElementType::i64;
    const std::string data = context.input_as(0, wide);
    std::string result;
    switch (function) {
        case ReduceFunction::l1:
            result = reduced(context, "ReduceSum", context.emit("Abs", {data}));
            break;
        case ReduceFunction::l2:
            if (is_wide) throw UnsupportedError("ONNX computes no root of 64-bit integers");
            result = whole_root(context,
                                reduced(context, "ReduceSum", context.emit("Mul", {data, data})));
            break;
        case ReduceFunction::mean:
            result = context.emit("Div", {reduced(context, "ReduceSum", data), count_of(context)});
            break;
        case ReduceFunction::prod: result = reduced(context, "ReduceProd", data); break;
        case ReduceFunction::sum: result = reduced(context, "ReduceSum", data); break;
        default: internal_error("a function that takes no sum of integers");
    }
    return context.cast(result, wide, type);
}

// Max and Min take integers of 8, 32 and 64 bits.
std::string extreme(WriteContext& context, const char* name) {
    const ElementType type = context.type(0);
    const bool narrow = type == ElementType::i16 || type == ElementType::u16;
    const ElementType wide = narrow ? ElementType::i32 : type;
    return context.cast(reduced(context, name, context.input_as(0, wide)), wide, type);
}

const char* name_of(ReduceFunction function) {
    switch (function) {
        case ReduceFunction::l1: return "ReduceL1";
        case ReduceFunction::l2: return "ReduceL2";
        case ReduceFunction::logical_and:
        case ReduceFunction::min: return "ReduceMin";
        case ReduceFunction::logical_or:
        case ReduceFunction::max: return "ReduceMax";
        case ReduceFunction::mean: return "ReduceMean";
        case ReduceFunction::prod: return "ReduceProd";
        case ReduceFunction::sum: return "ReduceSum";
    }
    internal_error("a reduction without an operator");
}

// Without axes only the magnitudes of the norms are left.
bool is_norm(ReduceFunction function) {
    return function == ReduceFunction::l1 || function == ReduceFunction::l2;
}

bool is_extreme(ReduceFunction function) {
    return function == ReduceFunction::max || function == ReduceFunction::min;
}

}  // namespace

Names write_reduce(WriteContext& context) {
    const ReduceFunction function = context.op<ops::Reduce>().function();
    const auto axes = context.find_ints(1);
    if (axes && axes->empty()) {
        return {context.emit(is_norm(function) ? "Abs" : "Identity", {context.input(0)})};
    }
    if (is_extreme(function)) return {extreme(context, name_of(function))};
    if (is_integral(context.type(0))) return {reduce_integers(context, function)};
    return {reduced(context, name_of(function), context.input(0))};
}

}  // namespace rondo::onnx
