// Converts DynamicQuantizeLSTM of com.microsoft.
#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/recurrent/gate_blocks.hpp"
#include "core/support/limits.hpp"
#include "core/support/log.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Beside ONNX's own eight inputs; W is [D,I,4H] and R [D,H,4H].
constexpr std::size_t kWScale = 8;
constexpr std::size_t kWZeroPoint = 9;
constexpr std::size_t kRScale = 10;
constexpr std::size_t kRZeroPoint = 11;

// Values [D,K,4H], i8 or u8; scale and zero point [D] or [D,4H].
Quantized quantized(NodeContext& by, const std::string& name, std::size_t values, std::size_t scale,
                    std::size_t zero_point) {
    return {name, required_input(by, values, name), required_input(by, scale, name + "_scale"),
            required_input(by, zero_point, name + "_zero_point")};
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

// [D,K,4H] as [D,4H,K], with the IR's order of gates.
Tensor reordered(const Tensor& values) {
    return ops::ordered_blocks(ops::transposed_matrices(values), kFromIofc.size(), kFromIofc);
}

// [D] as [D,1,1], [D,4H] as [D,4H,1] with the IR's order of gates; in f32.
Tensor reordered_parameter(const Tensor& parameter) {
    const Tensor wide = converted_tensor(parameter, ElementType::f32);
    const Shape& shape = wide.shape();
    if (shape.size() < 2) return wide.reshaped({shape[0], 1, 1});
    return ops::ordered_blocks(wide.reshaped({shape[0], shape[1], 1}), kFromIofc.size(), kFromIofc);
}

bool is_zero(const Tensor& tensor) {
    const float* values = tensor.data<float>();
    return std::all_of(values, values + tensor.size(), [](float value) { return value == 0; });
}

// Known when the model is read.
bool is_known(const Quantized& weights) {
    const Tensor values = known_value(weights.values);
    return values && values.shape()[2] > 0 && values.shape()[2] % kFromIofc.size() == 0 &&
           known_value(weights.scale) && known_value(weights.zero_point);
}

// [D,4H,K] in f32, of constants that stay 8 bits wide in files and in memory: the mark prevents
// folding.
Output decompressed(NodeContext& by, const Quantized& weights) {
    const Tensor zero = reordered_parameter(known_value(weights.zero_point));
    const Output bytes = by.constant(reordered(known_value(weights.values).contiguous()));
    const Output wide = by.convert(bytes, ElementType::f32);
    wide.node().rt_info()[kDecompression] = "";
    const Output difference = is_zero(zero) ? wide : by.subtract(wide, by.constant(zero));
    return by.multiply(difference, by.constant(reordered_parameter(known_value(weights.scale))));
}

// [D,4H,K] in f32, with ONNX's order of gates.
Output dequantized(NodeContext& by, const Quantized& weights) {
    // In a shape that goes with [D,K,4H].
    const auto parameter = [&](const Output& value) {
        const bool has_columns = value.shape().rank() == 2;
        return by.reshape(value, has_columns ? Ints{0, 1, -1} : Ints{0, 1, 1});
    };
    const Output difference = centred(
        by, {weights.name, weights.values, {}, parameter(weights.zero_point)}, ElementType::f32);
    return by.transpose(by.multiply(difference, parameter(weights.scale)), {0, 2, 1});
}

// H: the attribute, or R's [D,H,4H].
void check_shapes(NodeContext& by, const Quantized& w, const Quantized& r) {
    const PartialShape& shape = r.values.shape();
    const auto given = by.attributes().find_int("hidden_size");
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

}  // namespace

// com.microsoft's LSTM on 8-bit weights. onnxruntime also rounds X and H to 8 bits in each step;
// here a device may round them, to what it computes fast in, or compute in f32.
std::vector<Output> convert_dynamic_quantize_lstm(NodeContext& by) {
    check_type(required_input(by, 0, "X"), "X", "f32", {ElementType::f32});
    const Quantized w = quantized(by, "W", 1, kWScale, kWZeroPoint);
    const Quantized r = quantized(by, "R", 2, kRScale, kRZeroPoint);
    check(w);
    check(r);
    check_shapes(by, w, r);
    RecurrentSource source;
    source.gates_ordered = is_known(w) && is_known(r);
    const auto widened = source.gates_ordered ? decompressed : dequantized;
    source.w = widened(by, w);
    source.r = widened(by, r);
    source.precision_fact = type_text(w) + ", " + type_text(r) + ": dequantized";
    source.quantizes = true;
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info,
            "node '" + by.name() + "' (DynamicQuantizeLSTM): " + source.precision_fact);
    }
    return convert_lstm_of(by, source);
}

}  // namespace rondo::onnx
