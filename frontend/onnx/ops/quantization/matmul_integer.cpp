// Products of 8-bit matrices: MatMulInteger, QLinearMatMul, and those of com.microsoft.
#include "core/ops/product/matmul.hpp"

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/quantization/converters.hpp"
#include "frontend/onnx/ops/quantization/quantization_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

using ElementType::f32;

// A matrix and what its numbers stand for; empty parts are not given.
struct Matrix {
    std::string name;
    Output values;
    Output scale = {};
    Output zero_point = {};
};

Output multiplied(NodeContext& context, const std::string& role, const Output& a, const Output& b) {
    return context.make<ops::Binary>(role, BinaryFunction::multiply, a, b);
}

// A parameter of the left matrix: a vector has a number for each row.
Output along_rows(NodeContext& context, const std::string& name, const Output& parameter) {
    const PartialShape& shape = parameter.shape();
    if (!shape.has_rank()) throw UnsupportedError("the rank of " + name + " isn't known");
    if (shape.rank() != 1 || shape[0] == Dimension(1)) return parameter;
    return make_reshape(context, name + "/rows", parameter, {-1, 1});
}

// As along_rows(); one of the right matrix has a number for each column already.
Output along_columns(const std::string& name, const Output& parameter) {
    if (parameter.shape().has_rank()) return parameter;
    throw UnsupportedError("the rank of " + name + " isn't known");
}

Output zero_point_of(NodeContext& context, const Matrix& matrix, const Output& shaped) {
    if (shaped) return shaped;
    return make_filled(context, matrix.name + "_zero_point",
                       NodeContext::known_type(matrix.values, matrix.name), {}, 0);
}

// The exact product in i32.
Output product(NodeContext& context, const std::string& role, const Matrix& a, const Matrix& b) {
    Output a_zero, b_zero;
    if (a.zero_point) a_zero = along_rows(context, a.name + "_zero_point", a.zero_point);
    if (b.zero_point) b_zero = along_columns(b.name + "_zero_point", b.zero_point);
    return context.make<ops::MatMulInteger>(role, a.values, b.values,
                                            zero_point_of(context, a, a_zero),
                                            zero_point_of(context, b, b_zero));
}

// What the product's numbers stand for, in f32: that of a, by that of b.
Output scale_of(NodeContext& context, const Matrix& a, const Matrix& b) {
    const auto as_f32 = [&](const Matrix& matrix, const Output& shaped) {
        return converted(context, matrix.name + "_scale/f32", shaped, f32);
    };
    return multiplied(context, "scale", as_f32(a, along_rows(context, a.name + "_scale", a.scale)),
                      as_f32(b, along_columns(b.name + "_scale", b.scale)));
}

// The product of two matrices of integers in floating numbers, with a bias that may be empty.
std::vector<Output> scaled_product(NodeContext& context, const Matrix& a, const Matrix& b,
                                   const Output& bias) {
    const ElementType type = expect_type(b.scale, b.name + "_scale", {f32, ElementType::f16});
    const Output sum = converted(context, "product/f32", product(context, "product", a, b), f32);
    const bool is_last = !bias && type == f32;
    Output result = multiplied(context, is_last ? "" : "scaled", sum, scale_of(context, a, b));
    if (bias) {
        result = context.make<ops::Binary>(type == f32 ? "" : "sum", BinaryFunction::add, result,
                                           converted(context, "bias/f32", bias, f32));
    }
    return {converted(context, "", result, type)};
}

// A matrix whose axes the attribute swaps.
Output turned(NodeContext& context, const char* attribute, std::size_t input) {
    const Output value = context.input(input);
    NodeContext::check_shape(value, PartialShape::of_rank(2),
                             std::string("input ") + std::to_string(input));
    if (!context.attributes().flag(attribute, false)) return value;
    return make_transpose(context, attribute, value, {1, 0});
}

}  // namespace

std::vector<Output> convert_mat_mul_integer(NodeContext& context) {
    const Matrix a{"A", context.input(0), {}, context.optional_input(2)};
    const Matrix b{"B", context.input(1), {}, context.optional_input(3)};
    return {product(context, "", a, b)};
}

// round(product * (a_scale * b_scale / y_scale)) + y_zero_point.
std::vector<Output> convert_qlinear_mat_mul(NodeContext& context) {
    const Matrix a{"a", context.input(0), context.input(1), context.input(2)};
    const Matrix b{"b", context.input(3), context.input(4), context.input(5)};
    const Output sum = converted(context, "product/f32", product(context, "product", a, b), f32);
    const Output y_scale =
        converted(context, "y_scale/f32", along_rows(context, "y_scale", context.input(6)), f32);
    const Output zero_point = along_rows(context, "y_zero_point", context.input(7));
    const ElementType type =
        expect_type(zero_point, "y_zero_point", {ElementType::u8, ElementType::i8});
    const Output factor = context.make<ops::Binary>("factor", BinaryFunction::divide,
                                                    scale_of(context, a, b), y_scale);
    return {rounded_to(context, multiplied(context, "scaled", sum, factor), zero_point, type)};
}

// alpha (product + C) in the steps of both scales; without y_scale in floating numbers.
std::vector<Output> convert_qgemm(NodeContext& context) {
    const Matrix a{"a", turned(context, "transA", 0), context.input(1), context.input(2)};
    const Matrix b{"b", turned(context, "transB", 3), context.input(4), context.input(5)};
    const float alpha = context.attributes().find_float("alpha").value_or(1);
    Output sum = product(context, "product", a, b);
    if (const Output c = context.optional_input(6)) {
        expect_type(c, "C", {ElementType::i32});
        sum = make_sum(context, "sum", sum, c);
    }
    const Output steps = converted(context, "sum/f32", sum, f32);
    Output scale = scale_of(context, a, b);
    if (alpha != 1) {
        scale = multiplied(context, "alpha_scale", scale,
                           make_filled(context, "alpha", f32, {}, static_cast<double>(alpha)));
    }
    const Output y_scale = context.optional_input(7), y_zero = context.optional_input(8);
    if (!y_scale) return {multiplied(context, "", steps, scale)};
    const Output factor =
        context.make<ops::Binary>("factor", BinaryFunction::divide, scale, y_scale);
    const ElementType type =
        y_zero ? expect_type(y_zero, "y_zero_point", {ElementType::u8, ElementType::i8})
               : NodeContext::known_type(a.values, "a");
    return {rounded_to(context, multiplied(context, "scaled", steps, factor), y_zero, type)};
}

std::vector<Output> convert_dynamic_quantize_mat_mul(NodeContext& context) {
    const auto quantized =
        context.make<ops::DynamicQuantizeLinear>("A_quantized", context.input(0));
    const Matrix a{"A", quantized->output(0), quantized->output(1), quantized->output(2)};
    const Matrix b{"B", context.input(1), context.input(2), context.optional_input(3)};
    return scaled_product(context, a, b, context.optional_input(4));
}

std::vector<Output> convert_mat_mul_integer_to_float(NodeContext& context) {
    const Matrix a{"A", context.input(0), context.input(2), context.optional_input(4)};
    const Matrix b{"B", context.input(1), context.input(3), context.optional_input(5)};
    return scaled_product(context, a, b, context.optional_input(6));
}

}  // namespace rondo::onnx
