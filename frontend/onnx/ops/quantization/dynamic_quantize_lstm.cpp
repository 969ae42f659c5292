// Converts DynamicQuantizeLSTM of com.microsoft.
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/source/constant.hpp"
#include "core/support/limits.hpp"
#include "core/support/log.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Beside ONNX's own eight inputs; W is [D,I,4H] and R [D,H,4H].
constexpr std::size_t kWScale = 8;
constexpr std::size_t kWZeroPoint = 9;
constexpr std::size_t kRScale = 10;
constexpr std::size_t kRZeroPoint = 11;

struct Quantized {
    std::string name;  // "W"
    Output values;     // [D,K,4H], i8 or u8
    Output scale;      // [D] or [D,4H], f32
    Output zero_point;
};

Quantized quantized(NodeContext& context, const std::string& name, std::size_t values,
                    std::size_t scale, std::size_t zero_point) {
    return {name, required_input(context, values, name),
            required_input(context, scale, name + "_scale"),
            required_input(context, zero_point, name + "_zero_point")};
}

void check_type(const Output& value, const std::string& name, const std::string& expected,
                std::initializer_list<ElementType> types) {
    const ElementType got = value.element_type();
    if (got == ElementType::dynamic) return;
    for (const ElementType type : types) {
        if (got == type) return;
    }
    throw ModelError(name + " has type " + std::string(to_string(got)) + "; expected " + expected);
}

// One number a direction, or one for each of its 4H columns.
void check_parameter(const Quantized& weights, const Output& parameter, const std::string& name) {
    const PartialShape& shape = parameter.shape();
    const PartialShape& columns = weights.values.shape();
    if (!shape.has_rank()) throw UnsupportedError("the rank of " + name + " isn't known");
    const PartialShape narrow = {columns[0]};
    const PartialShape wide = {columns[0], columns[2]};
    if (shape.intersect(narrow) || shape.intersect(wide)) return;
    throw ModelError(name + " has shape " + to_string(shape) + "; expected " + to_string(narrow) +
                     " or " + to_string(wide));
}

void check(const Quantized& weights) {
    const std::string& name = weights.name;
    check_type(weights.values, name, "i8 or u8", {ElementType::i8, ElementType::u8});
    check_type(weights.scale, name + "_scale", "f32", {ElementType::f32});
    const ElementType type = NodeContext::known_type(weights.values, name);
    check_type(weights.zero_point, name + "_zero_point",
               std::string(to_string(type)) + " as " + name + " has", {type});
    NodeContext::check_shape(weights.values, PartialShape::of_rank(3), name);
    if (!weights.values.shape().has_rank()) {
        throw UnsupportedError("the shape of " + name + " isn't known");
    }
    check_parameter(weights, weights.scale, name + "_scale");
    check_parameter(weights, weights.zero_point, name + "_zero_point");
}

// f32 in a shape that goes with [D,K,4H].
Output broadcastable(NodeContext& context, const std::string& role, const Output& parameter) {
    const bool wide = parameter.shape().rank() == 2;
    const std::vector<std::int64_t> pattern =
        wide ? std::vector<std::int64_t>{0, 1, -1} : std::vector<std::int64_t>{0, 1, 1};
    const Output shaped = make_reshape(context, role, parameter, pattern);
    if (shaped.element_type() == ElementType::f32) return shaped;
    return context.make<ops::Convert>(role + "/f32", shaped, ElementType::f32);
}

// (q - zero_point) * scale: the difference is exact in f32, the product rounded once.
template <typename T>
Tensor dequantized_as(const Tensor& values, const Tensor& scale, const Tensor& zero_point) {
    const Shape& shape = values.shape();  // [D,K,4H], to become [D,4H,K]
    Tensor result(ElementType::f32, {shape[0], shape[2], shape[1]});
    const bool wide = scale.shape().size() == 2;
    const bool wide_zero = zero_point.shape().size() == 2;
    const T* from = values.data<T>();
    for (std::size_t d = 0; d < shape[0]; ++d) {
        for (std::size_t k = 0; k < shape[1]; ++k) {
            for (std::size_t column = 0; column < shape[2]; ++column) {
                const std::size_t row = d * shape[2] + column;
                const T zero = zero_point.data<T>()[wide_zero ? row : d];
                const auto centred = static_cast<float>(*from++) - static_cast<float>(zero);
                result.data<float>()[row * shape[1] + k] =
                    centred * scale.data<float>()[wide ? row : d];
            }
        }
    }
    return result;
}

// Known when the model is read; nothing where one of the three isn't.
Tensor known_dequantized(const Quantized& weights) {
    const Tensor values = known_value(weights.values);
    const Tensor scale = known_value(weights.scale);
    const Tensor zero_point = known_value(weights.zero_point);
    if (!values || !scale || !zero_point) return {};
    return values.element_type() == ElementType::u8
               ? dequantized_as<std::uint8_t>(values, scale, zero_point)
               : dequantized_as<std::int8_t>(values, scale, zero_point);
}

// [D,4H,K] in f32. Constants are widened here: as parts of the graph they would pass folding's
// budget in large models, and be widened in each run.
Output dequantized(NodeContext& context, const Quantized& weights) {
    const std::string& name = weights.name;
    if (const Tensor known = known_dequantized(weights)) {
        return context.make<ops::Constant>(name, known);
    }
    const Output wide = context.make<ops::Convert>(name + "/f32", weights.values, ElementType::f32);
    const Output zero = broadcastable(context, name + "/zero_point", weights.zero_point);
    const Output scale = broadcastable(context, name + "/scale", weights.scale);
    const Output centred =
        context.make<ops::Binary>(name + "/centred", ops::BinaryFunction::subtract, wide, zero);
    const Output scaled = context.make<ops::Binary>(name + "/dequantized",
                                                    ops::BinaryFunction::multiply, centred, scale);
    return make_transpose(context, name, scaled, {0, 2, 1});
}

// H: the attribute, or R's [D,H,4H].
void check_shapes(NodeContext& context, const Quantized& w, const Quantized& r) {
    const PartialShape& shape = r.values.shape();
    const auto given = context.attributes().find_int("hidden_size");
    const std::int64_t hidden = given ? *given : shape[1].is_static() ? shape[1].length() : 0;
    if (hidden < 1 || hidden > kMaxHiddenSize) return;  // the layer's inference refuses it
    const Dimension h(hidden);
    const std::string because = "hidden_size is " + to_string(h) + " but ";
    const Dimension columns(4 * hidden);
    NodeContext::check_shape(r.values, {Dimension(), h, columns}, because + "R");
    NodeContext::check_shape(w.values, {Dimension(), Dimension(), columns}, because + "W");
}

std::string type_text(const Quantized& weights) {
    return weights.name + " " + std::string(to_string(weights.values.element_type()));
}

// com.microsoft's LSTM on 8-bit weights. onnxruntime also rounds X and H to 8 bits in each step;
// here only the weights are rounded, and everything is computed in f32.
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& context) {
    check_type(required_input(context, 0, "X"), "X", "f32", {ElementType::f32});
    const Quantized w = quantized(context, "W", 1, kWScale, kWZeroPoint);
    const Quantized r = quantized(context, "R", 2, kRScale, kRZeroPoint);
    check(w);
    check(r);
    check_shapes(context, w, r);
    RecurrentSource source;
    source.w = dequantized(context, w);
    source.r = dequantized(context, r);
    source.precision_fact = type_text(w) + ", " + type_text(r) + ": dequantized, computed in f32";
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info,
            "node '" + context.name() + "' (DynamicQuantizeLSTM): " + source.precision_fact);
    }
    return convert_lstm_of(context, source);
}

constexpr OpEntry kEntries[] = {
    {"com.microsoft", "DynamicQuantizeLSTM", 1, convert_dynamic_quantize_lstm},
};

}  // namespace

std::span<const OpEntry> dynamic_quantize_lstm_converters() { return kEntries; }

}  // namespace rondo::onnx
