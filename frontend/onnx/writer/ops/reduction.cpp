// Reductions, and what walks along an axis: one operator, integers in 64 bits if ONNX's would be
// too narrow, and MVN as LayerNormalization or as its formula.
#include <algorithm>

#include "core/ops/builder.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/support/errors.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::ReduceFunction;

// Distinct ones, as ONNX wants them: [axes].
std::string reduced_axes(WriteContext& context) {
    const auto known = context.find_ints(1);
    if (!known) return context.reshape(context.wide_input(1), {-1});
    return context.ints(context.distinct_axes(*known));
}

std::string reduced(WriteContext& context, std::string_view name, const std::string& data) {
    return context.emit(name, {data, reduced_axes(context)})
        .with("keepdims", context.op<ops::Reduce>().keep_dims())
        .with("noop_with_empty_axes", true);
}

// How many elements become one, i64 of rank 0.
std::string count_of(WriteContext& context) {
    const std::string extents =
        context.emit("Gather", {context.shape_of(context.input(0)), reduced_axes(context)});
    return context.emit("ReduceProd", {extents}).with("keepdims", false);
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
std::string reduced_integers(WriteContext& context, ReduceFunction function) {
    const ElementType type = context.type(0);
    const bool is_l2 = function == ReduceFunction::l2;
    const bool is_mean = function == ReduceFunction::mean;
    if (type == ElementType::u64 && (is_l2 || is_mean)) {
        throw UnsupportedError("ONNX computes no mean or root of u64");
    }
    const ElementType wide = type == ElementType::u64 ? type : ElementType::i64;
    std::string data = context.input_as(0, wide);
    if (is_l2 && type == wide) throw UnsupportedError("ONNX computes no root of 64-bit integers");
    if (is_l2) data = context.emit("Mul", {data, data});
    if (function == ReduceFunction::l1) data = context.emit("Abs", {data});
    const bool is_product = function == ReduceFunction::prod;
    std::string result = reduced(context, is_product ? "ReduceProd" : "ReduceSum", data);
    if (is_l2) result = whole_root(context, result);
    if (is_mean) result = context.emit("Div", {result, count_of(context)});
    return context.cast(result, wide, type);
}

// Max and Min take integers of 8, 32 and 64 bits.
std::string extreme(WriteContext& context) {
    const ElementType type = context.type(0);
    const bool narrow = type == ElementType::i16 || type == ElementType::u16;
    const ElementType wide = narrow ? ElementType::i32 : type;
    return context.cast(reduced(context, context.name(), context.input_as(0, wide)), wide, type);
}

// Whether the axes are the last ones and their extents are known: those of ONNX's scale, ones.
bool is_layer(const WriteContext& context, const Ints& axes) {
    const auto& attributes = context.op<ops::Mvn>().attributes();
    if (!attributes.normalize_variance || attributes.eps_mode != ops::EpsMode::inside_sqrt) {
        return false;
    }
    if (axes.empty() || context.type(0) == ElementType::f64) return false;
    const auto rank = static_cast<std::int64_t>(context.rank(0));
    if (axes.front() + static_cast<std::int64_t>(axes.size()) != rank) return false;
    return std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
        return context.shape(0)[static_cast<std::size_t>(axis)].is_static();
    });
}

std::string layer_normalization(WriteContext& context, const Ints& axes) {
    Shape shape;
    for (const std::int64_t axis : axes) {
        shape.push_back(
            static_cast<std::size_t>(context.shape(0)[static_cast<std::size_t>(axis)].length()));
    }
    const Tensor ones = ops::filled_tensor(ElementType::f32, shape, 1);
    const std::string scale =
        context.cast(context.constant(ones, "ones"), ElementType::f32, context.type(0));
    return context.emit("LayerNormalization", {context.input(0), scale})
        .with("axis", axes.front())
        .with("epsilon", context.op<ops::Mvn>().attributes().eps);
}

std::string mvn_formula(WriteContext& context, const Ints& axes) {
    const auto& attributes = context.op<ops::Mvn>().attributes();
    const ElementType type = context.type(0);
    const ElementType wide = type == ElementType::f64 ? type : ElementType::f32;
    const auto mean = [&](const std::string& data) -> std::string {
        return context.emit("ReduceMean", {data, context.ints(axes)})
            .with("keepdims", true)
            .with("noop_with_empty_axes", true);
    };
    const std::string data = context.input_as(0, wide);
    const std::string centred = context.emit("Sub", {data, mean(data)});
    if (!attributes.normalize_variance) return context.cast(centred, wide, type);
    const std::string eps = context.number(wide, static_cast<double>(attributes.eps));
    std::string spread = mean(context.emit("Mul", {centred, centred}));
    if (attributes.eps_mode == ops::EpsMode::inside_sqrt) {
        spread = context.emit("Sqrt", {context.emit("Add", {spread, eps})});
    } else {
        spread = context.emit("Add", {context.emit("Sqrt", {spread}), eps});
    }
    return context.cast(context.emit("Div", {centred, spread}), wide, type);
}

}  // namespace

// Without axes only the magnitudes of the norms are left.
Names write_reduce(WriteContext& context) {
    const ReduceFunction function = context.op<ops::Reduce>().function();
    const auto axes = context.find_ints(1);
    if (axes && axes->empty()) {
        const bool is_norm = function == ReduceFunction::l1 || function == ReduceFunction::l2;
        return context.emit(is_norm ? "Abs" : "Identity", {context.input(0)});
    }
    if (function == ReduceFunction::max || function == ReduceFunction::min) {
        return {extreme(context)};
    }
    if (is_integral(context.type(0))) return {reduced_integers(context, function)};
    return {reduced(context, context.name(), context.input(0))};
}

Names write_softmax(WriteContext& context) {
    return context.emit_same().with("axis", context.op<ops::SoftmaxBase>().axis());
}

Names write_cumulation(WriteContext& context) {
    constexpr std::int64_t kCumProdSince = 26;
    const auto& options = context.op<ops::Cumulation>().options();
    if (context.name() == "CumProd") context.require_opset(kCumProdSince);
    const ElementType type = type_of_sums(context.type(0));
    const std::string axis = context.scalar_input(1, ElementType::i64);
    const NewNode node = context.emit(context.name(), {context.input_as(0, type), axis})
                             .with("exclusive", options.exclusive)
                             .with("reverse", options.reverse);
    return {context.cast(node, type, context.type(0))};
}

// Outputs sorted by their places: the places themselves in ascending order, and the elements there.
Names write_top_k(WriteContext& context) {
    const ops::TopKAttributes& attributes = context.op<ops::TopK>().attributes();
    const std::string k = context.reshape(context.wide_input(1), {1});
    const auto top = [&](const std::string& data, bool largest) -> Names {
        return context.emit("TopK", {data, k}, 2)
            .with("axis", attributes.axis)
            .with("largest", largest)
            .with("sorted", true);
    };
    Names outputs = top(context.input(0), attributes.mode == ops::TopKMode::max);
    if (attributes.sort == ops::TopKSort::index) {
        outputs[1] = top(outputs[1], false)[0];
        outputs[0] = context.emit("GatherElements", {context.input(0), outputs[1]})
                         .with("axis", attributes.axis);
    }
    outputs[1] = context.cast(outputs[1], ElementType::i64, attributes.index_type);
    return outputs;
}

Names write_mvn(WriteContext& context) {
    Ints axes = context.known_ints(1, "the axes");
    for (auto& axis : axes) axis = context.from_front(axis);
    axes = context.distinct_axes(std::move(axes));
    return {is_layer(context, axes) ? layer_normalization(context, axes)
                                    : mvn_formula(context, axes)};
}

}  // namespace rondo::onnx
