// Writes MVN as LayerNormalization, or as the formula where that operator doesn't have it.
#include "core/ops/reduction/normalization.hpp"

#include <algorithm>

#include "core/ops/common/independent_axes.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/reduction/writers.hpp"

namespace rondo::onnx {
namespace {

Ints distinct_axes(const WriteContext& context) {
    const Ints axes = context.known_ints(1, "the axes");
    const auto named = ops::named_among(axes, context.rank(0));
    Ints distinct;
    for (std::size_t i = 0; named && i < named->size(); ++i) {
        if ((*named)[i]) distinct.push_back(static_cast<std::int64_t>(i));
    }
    return distinct;
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
    Tensor ones(ElementType::f32, shape);
    std::fill_n(ones.data<float>(), ones.size(), 1.0F);
    const std::string scale =
        context.cast(context.constant(ones, "ones"), ElementType::f32, context.type(0));
    return context.emit("LayerNormalization", {context.input(0), scale})
        .with_int("axis", axes.front())
        .with_float("epsilon", context.op<ops::Mvn>().attributes().eps);
}

std::string formula(WriteContext& context, const Ints& axes) {
    const auto& attributes = context.op<ops::Mvn>().attributes();
    const ElementType type = context.type(0);
    const ElementType wide = type == ElementType::f64 ? type : ElementType::f32;
    const auto mean = [&](const std::string& data) -> std::string {
        return context.emit("ReduceMean", {data, context.ints(axes)})
            .with_int("keepdims", 1)
            .with_int("noop_with_empty_axes", 1);
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

Names write_mvn(WriteContext& context) {
    const Ints axes = distinct_axes(context);
    return {is_layer(context, axes) ? layer_normalization(context, axes) : formula(context, axes)};
}

}  // namespace rondo::onnx
