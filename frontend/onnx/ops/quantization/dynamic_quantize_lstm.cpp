// Converts DynamicQuantizeLSTM of com.microsoft.
#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
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

struct QuantizedWeights {
    std::string name;  // "W"
    Output values;     // [D,K,4H], i8 or u8
    Output scale;      // [D] or [D,4H], f32
    Output zero_point;
};

QuantizedWeights quantized(NodeContext& context, const std::string& name, std::size_t values,
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
void check_parameter(const QuantizedWeights& weights, const Output& parameter,
                     const std::string& name) {
    const PartialShape& shape = parameter.shape();
    const PartialShape& columns = weights.values.shape();
    if (!shape.has_rank()) throw UnsupportedError("the rank of " + name + " isn't known");
    const PartialShape narrow = {columns[0]};
    const PartialShape wide = {columns[0], columns[2]};
    if (shape.intersect(narrow) || shape.intersect(wide)) return;
    throw ModelError(name + " has shape " + to_string(shape) + "; expected " + to_string(narrow) +
                     " or " + to_string(wide));
}

void check(const QuantizedWeights& weights) {
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

// Row `row` of [D,4H,K], whose gates are fico, as a column of [D,K,4H], whose gates are iofc.
std::size_t column_of(std::size_t row, std::size_t columns) {
    const std::size_t hidden = columns / kFromIofc.size();
    return kFromIofc[row / hidden] * hidden + row % hidden;
}

// [D,K,4H] as [D,4H,K], with the IR's order of gates.
Tensor turned(const Tensor& values) {
    const Shape& shape = values.shape();
    Tensor result(values.element_type(), {shape[0], shape[2], shape[1]});
    const auto* from = static_cast<const std::uint8_t*>(values.data());
    auto* to = static_cast<std::uint8_t*>(result.data());
    for (std::size_t d = 0; d < shape[0]; ++d, from += shape[1] * shape[2]) {
        for (std::size_t row = 0; row < shape[2]; ++row) {
            const std::size_t column = column_of(row, shape[2]);
            for (std::size_t k = 0; k < shape[1]; ++k) *to++ = from[k * shape[2] + column];
        }
    }
    return result;
}

// [D] as [D,1,1], [D,4H] as [D,4H,1] with the IR's order of gates; in f32.
Tensor turned_parameter(const Tensor& parameter) {
    const Shape& shape = parameter.shape();
    const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
    Tensor result(ElementType::f32, {shape[0], columns, 1});
    float* to = result.data<float>();
    for (std::size_t d = 0; d < shape[0]; ++d) {
        for (std::size_t row = 0; row < columns; ++row) {
            const std::size_t at = d * columns + (columns == 1 ? 0 : column_of(row, columns));
            switch (parameter.element_type()) {
                case ElementType::u8: *to++ = parameter.data<std::uint8_t>()[at]; break;
                case ElementType::i8: *to++ = parameter.data<std::int8_t>()[at]; break;
                default: *to++ = parameter.data<float>()[at];
            }
        }
    }
    return result;
}

bool is_zero(const Tensor& tensor) {
    const float* values = tensor.data<float>();
    return std::all_of(values, values + tensor.size(), [](float value) { return value == 0; });
}

// Known when the model is read.
bool is_known(const QuantizedWeights& weights) {
    const Tensor values = known_value(weights.values);
    return values && values.shape()[2] > 0 && values.shape()[2] % kFromIofc.size() == 0 &&
           known_value(weights.scale) && known_value(weights.zero_point);
}

// [D,4H,K] in f32, of constants that stay 8 bits wide in files and in memory: the mark prevents
// folding.
Output decompressed(NodeContext& context, const QuantizedWeights& weights) {
    const std::string& name = weights.name;
    const auto constant = [&](const std::string& role, const Tensor& value) {
        return context.make<ops::Constant>(role, value);
    };
    const Tensor values = known_value(weights.values).contiguous();
    const Tensor zero = turned_parameter(known_value(weights.zero_point).contiguous());
    const auto wide = context.make<ops::Convert>(
        name + "/f32", constant(name + "/bytes", turned(values)), ElementType::f32);
    wide->rt_info()[kDecompression] = "";
    Output centred = wide;
    if (!is_zero(zero)) {
        centred = context.make<ops::Binary>(name + "/centred", ops::BinaryFunction::subtract,
                                            centred, constant(name + "/zero_point", zero));
    }
    const Tensor scale = turned_parameter(known_value(weights.scale).contiguous());
    return context.make<ops::Binary>(name, ops::BinaryFunction::multiply, centred,
                                     constant(name + "/scale", scale));
}

// [D,4H,K] in f32, with ONNX's order of gates.
Output dequantized(NodeContext& context, const QuantizedWeights& weights) {
    const std::string& name = weights.name;
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
void check_shapes(NodeContext& context, const QuantizedWeights& w, const QuantizedWeights& r) {
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

std::string type_text(const QuantizedWeights& weights) {
    return weights.name + " " + std::string(to_string(weights.values.element_type()));
}

}  // namespace

// com.microsoft's LSTM on 8-bit weights. onnxruntime also rounds X and H to 8 bits in each step;
// here a device may round them, to what it computes fast in, or compute in f32.
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& context) {
    check_type(required_input(context, 0, "X"), "X", "f32", {ElementType::f32});
    const QuantizedWeights w = quantized(context, "W", 1, kWScale, kWZeroPoint);
    const QuantizedWeights r = quantized(context, "R", 2, kRScale, kRZeroPoint);
    check(w);
    check(r);
    check_shapes(context, w, r);
    RecurrentSource source;
    source.gates_ordered = is_known(w) && is_known(r);
    const auto widened = source.gates_ordered ? decompressed : dequantized;
    source.w = widened(context, w);
    source.r = widened(context, r);
    source.precision_fact = type_text(w) + ", " + type_text(r) + ": dequantized";
    source.quantizes = true;
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info,
            "node '" + context.name() + "' (DynamicQuantizeLSTM): " + source.precision_fact);
    }
    return convert_lstm_of(context, source);
}

}  // namespace rondo::onnx
