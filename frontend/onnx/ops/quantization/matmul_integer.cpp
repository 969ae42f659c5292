// Products of 8-bit matrices: MatMulInteger, QLinearMatMul, and those of com.microsoft.
#include "core/ops/product/matmul.hpp"

#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;

// A parameter of the left matrix: a vector has a number for each row. One of the right matrix has a
// number for each column already.
Output along_rows(NodeContext& by, const std::string& name, const Output& parameter) {
    const bool is_vector = NodeContext::rank_of(parameter, 0, name) == 1;
    return is_vector && parameter.shape()[0] != Dimension(1) ? by.reshape(parameter, {-1, 1})
                                                             : parameter;
}

// The exact product in i32.
Output product(NodeContext& by, const Quantized& a, const Quantized& b) {
    Output a_zero = a.zero_point, b_zero = b.zero_point;
    if (a_zero) a_zero = along_rows(by, a.name + "_zero_point", a_zero);
    if (b_zero) NodeContext::rank_of(b_zero, 0, b.name + "_zero_point");
    const auto or_zero = [&](const Quantized& matrix, const Output& zero) {
        return zero ? zero : by.number(NodeContext::known_type(matrix.values, matrix.name), 0);
    };
    return by.make<ops::MatMulInteger>(a.values, b.values, or_zero(a, a_zero), or_zero(b, b_zero));
}

// The scale of the product's numbers, in f32: that of a, by that of b.
Output scale_of(NodeContext& by, const Quantized& a, const Quantized& b) {
    NodeContext::rank_of(b.scale, 0, b.name + "_scale");
    return by.multiply(by.convert(along_rows(by, a.name + "_scale", a.scale), f32),
                       by.convert(b.scale, f32));
}

// The product of two matrices of integers in floating numbers, with a bias that may be empty.
std::vector<Output> scaled_product(NodeContext& by, const Quantized& a, const Quantized& b,
                                   const Output& bias) {
    const ElementType type = expect_type(b.scale, b.name + "_scale", {f32, ElementType::f16});
    Output result = by.multiply(by.convert(product(by, a, b), f32), scale_of(by, a, b));
    if (bias) result = by.add(result, by.convert(bias, f32));
    return {by.convert(result, type)};
}

// A matrix whose axes the attribute swaps.
Output swapped(NodeContext& by, const char* attribute, std::size_t input) {
    const Output value = by.input(input);
    NodeContext::check_shape(value, PartialShape::of_rank(2), "input " + std::to_string(input));
    return by.attribute(attribute, false) ? by.transpose(value, {1, 0}) : value;
}

}  // namespace

std::vector<Output> convert_mat_mul_integer(NodeContext& by) {
    const Quantized a{"A", by.input(0), {}, by.optional_input(2)};
    const Quantized b{"B", by.input(1), {}, by.optional_input(3)};
    return {product(by, a, b)};
}

// round(product * (a_scale * b_scale / y_scale)) + y_zero_point.
std::vector<Output> convert_qlinear_mat_mul(NodeContext& by) {
    const Quantized a{"a", by.input(0), by.input(1), by.input(2)};
    const Quantized b{"b", by.input(3), by.input(4), by.input(5)};
    const Output sum = by.convert(product(by, a, b), f32);
    const Output y_scale = by.convert(along_rows(by, "y_scale", by.input(6)), f32);
    const Output zero_point = along_rows(by, "y_zero_point", by.input(7));
    const ElementType type = expect_byte(zero_point, "y_zero_point");
    const Output factor = by.divide(scale_of(by, a, b), y_scale);
    return {rounded_to(by, by.multiply(sum, factor), zero_point, type)};
}

// alpha (product + C) in the steps of both scales; without y_scale in floating numbers.
std::vector<Output> convert_qgemm(NodeContext& by) {
    const Quantized a{"a", swapped(by, "transA", 0), by.input(1), by.input(2)};
    const Quantized b{"b", swapped(by, "transB", 3), by.input(4), by.input(5)};
    const double alpha = by.attribute("alpha", 1.0F);
    Output sum = product(by, a, b);
    if (const Output c = by.optional_input(6)) {
        expect_type(c, "C", {ElementType::i32});
        sum = by.add(sum, c);
    }
    const Output steps = by.convert(sum, f32);
    const Output scale = by.scaled(scale_of(by, a, b), alpha);
    const Output y_scale = by.optional_input(7), y_zero = by.optional_input(8);
    if (!y_scale) return {by.multiply(steps, scale)};
    const ElementType type =
        y_zero ? expect_byte(y_zero, "y_zero_point") : NodeContext::known_type(a.values, "a");
    return {rounded_to(by, by.multiply(steps, by.divide(scale, y_scale)), y_zero, type)};
}

std::vector<Output> convert_dynamic_quantize_mat_mul(NodeContext& by) {
    const auto quantized = by.make_all<ops::DynamicQuantizeLinear>(by.input(0));
    const Quantized a{"A", quantized[0], quantized[1], quantized[2]};
    const Quantized b{"B", by.input(1), by.input(2), by.optional_input(3)};
    return scaled_product(by, a, b, by.optional_input(4));
}

std::vector<Output> convert_mat_mul_integer_to_float(NodeContext& by) {
    const Quantized a{"A", by.input(0), by.input(2), by.optional_input(4)};
    const Quantized b{"B", by.input(1), by.input(3), by.optional_input(5)};
    return scaled_product(by, a, b, by.optional_input(6));
}

}  // namespace rondo::onnx
