#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/constant.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

// Integers [D,G*H,K] less their zero points, and the scales [D,G*H,1] of their rows.
struct Matrix {
    Tensor centred;  // i16
    Tensor scales;   // f32
};

// The value of a constant of f32, or of one that a Convert makes f32.
Tensor f32_constant(const Output& output) {
    if (output.element_type() != ElementType::f32) return {};
    if (const Tensor known = known_value(output)) return known.contiguous();
    const auto convert = as<ops::Convert>(output);
    const Tensor narrow = convert ? known_value(convert->input(0)) : Tensor();
    if (!narrow) return {};
    const std::array inputs{narrow.contiguous()};
    return reference::evaluate(*convert, inputs).front();
}

// A number for each row of [D,G*H,K] out of [], [1], .., [D,1,1] or [D,G*H,1]; else nothing.
std::optional<std::vector<float>> numbers_of_rows(const Output& output, const Shape& matrix) {
    const Tensor tensor = f32_constant(output);
    const Shape shape = tensor ? tensor.shape() : Shape{};
    const bool one = tensor && tensor.size() == 1 && shape.size() <= 3;
    const bool fits = tensor && shape.size() == 3 && shape[2] == 1 &&
                      (shape[0] == 1 || shape[0] == matrix[0]) &&
                      (shape[1] == 1 || shape[1] == matrix[1]);
    if (!one && !fits) return {};
    std::vector<float> numbers;
    for (std::size_t d = 0; d < matrix[0]; ++d) {
        for (std::size_t row = 0; row < matrix[1]; ++row) {
            const std::size_t direction = one || shape[0] == 1 ? 0 : d;
            const std::size_t index = one || shape[1] == 1 ? 0 : row;
            numbers.push_back(tensor.data<float>()[direction * (one ? 1 : shape[1]) + index]);
        }
    }
    return numbers;
}

bool is_byte(float value) {
    return value >= std::numeric_limits<std::int8_t>::min() &&
           value <= std::numeric_limits<std::uint8_t>::max() && std::trunc(value) == value;
}

template <typename T>
Tensor centred_as(const Tensor& values, const std::vector<float>& zero_points) {
    Tensor result(ElementType::i16, values.shape());
    const std::size_t k = values.shape()[2];
    const T* from = values.data<T>();
    auto* to = result.data<std::int16_t>();
    for (const float zero_point : zero_points) {
        const auto zero = static_cast<int>(zero_point);
        to = std::transform(from, from + k, to,
                            [&](T value) { return static_cast<std::int16_t>(value - zero); });
        from += k;
    }
    return result;
}

// (Convert(constant) - zero point) * scale, or nothing.
std::optional<Matrix> matrix_of(const Output& output) {
    if (!is(output.node(), ops::BinaryFunction::multiply)) return {};
    Output wide = output.node().input(0);
    Output zero_point;
    if (is(wide.node(), ops::BinaryFunction::subtract)) {
        zero_point = wide.node().input(1);
        wide = wide.node().input(0);
    }
    const auto convert = as<ops::Convert>(wide);
    if (!convert || convert->destination_type() != ElementType::f32) return {};
    const Tensor known = known_value(convert->input(0));
    if (!known || known.shape().size() != 3) return {};
    const Tensor values = known.contiguous();
    const ElementType type = values.element_type();
    if (type != ElementType::i8 && type != ElementType::u8) return {};
    const auto scales = numbers_of_rows(output.node().input(1), values.shape());
    const std::size_t rows = values.shape()[0] * values.shape()[1];
    auto zeros = std::optional(std::vector<float>(rows));
    if (zero_point) zeros = numbers_of_rows(zero_point, values.shape());
    if (!scales || !zeros || !std::all_of(zeros->begin(), zeros->end(), is_byte)) return {};
    Matrix matrix;
    matrix.centred = type == ElementType::u8 ? centred_as<std::uint8_t>(values, *zeros)
                                             : centred_as<std::int8_t>(values, *zeros);
    matrix.scales = Tensor(ElementType::f32, {values.shape()[0], values.shape()[1], 1});
    std::copy(scales->begin(), scales->end(), matrix.scales.data<float>());
    return matrix;
}

bool has_finite_scales(const Matrix& matrix) {
    const float* scales = matrix.scales.data<float>();
    return std::all_of(scales, scales + matrix.scales.size(),
                       [](float scale) { return std::isfinite(scale); });
}

bool takes_integers(const RecurrentOp& op) {
    const auto is_constant = [&](std::size_t port) {
        return port == RecurrentOp::npos || bool(known_value(op.input(port)));
    };
    return op.is_sequence() && op.cell_kind() == ops::CellKind::lstm &&
           op.output_type(0) == ElementType::f32 && is_constant(op.b_port()) &&
           is_constant(op.p_port());
}

// As f16, which holds them exactly and is widened faster than integers are converted.
Tensor halves(const Tensor& centred) {
    constexpr int kMost = 255 + 128;  // of the difference of two bytes, signed or not
    std::array<float16, 2 * kMost + 1> numbers;
    for (int i = -kMost; i <= kMost; ++i) {
        numbers[static_cast<std::size_t>(i + kMost)] = float16(static_cast<float>(i));
    }
    Tensor result(ElementType::f16, centred.shape());
    const auto* from = centred.data<std::int16_t>();
    std::transform(from, from + centred.size(), result.data<float16>(), [&](std::int16_t value) {
        return numbers[static_cast<std::size_t>(value + kMost)];
    });
    return result;
}

// Whether products with quantised rows fit: 8 bits hold the numbers, 32 bits any sum.
bool fits_integers(const Tensor& centred) {
    if (centred.shape().back() > static_cast<std::size_t>(kMaxQuantized)) return false;
    const auto* numbers = centred.data<std::int16_t>();
    return std::all_of(numbers, numbers + centred.size(), [](std::int16_t number) {
        return number == static_cast<std::int8_t>(number);
    });
}

Tensor bytes(const Tensor& centred) {
    Tensor result(ElementType::i8, centred.shape());
    const auto* from = centred.data<std::int16_t>();
    std::transform(from, from + centred.size(), result.data<std::int8_t>(),
                   [](std::int16_t value) { return static_cast<std::int8_t>(value); });
    return result;
}

NodePtr held(const Matrix& matrix, const std::string& name, bool as_integers) {
    const auto values =
        make_node<ops::Constant>(as_integers ? bytes(matrix.centred) : halves(matrix.centred));
    const auto scales = make_node<ops::Constant>(matrix.scales);
    values->set_name(name + "/values");
    scales->set_name(name + "/scales");
    return make_node<ScaledWeights>(values, scales);
}

// The difference is exact in f32, the product rounded once, as in the ops that it replaces.
NodePtr widened(const Matrix& matrix) {
    Tensor wide(ElementType::f32, matrix.centred.shape());
    const std::size_t k = wide.shape()[2];
    const auto* from = matrix.centred.data<std::int16_t>();
    float* to = wide.data<float>();
    for (std::size_t row = 0; row < matrix.scales.size(); ++row, from += k) {
        const float scale = matrix.scales.data<float>()[row];
        to = std::transform(from, from + k, to,
                            [&](std::int16_t value) { return static_cast<float>(value) * scale; });
    }
    return make_node<ops::Constant>(wide);
}

}  // namespace

bool hold_integer_weights(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        const auto op = as<RecurrentOp>(node);
        if (!op) continue;
        std::vector<std::pair<std::size_t, Matrix>> found;
        for (const std::size_t port : {op->w_port(), op->r_port()}) {
            if (auto matrix = matrix_of(op->input(port))) found.emplace_back(port, *matrix);
        }
        const bool holds = found.size() == 2 && takes_integers(*op) &&
                           has_finite_scales(found[0].second) && has_finite_scales(found[1].second);
        const bool as_integers = holds && op->rt_info().contains(kDynamicQuantization) &&
                                 fits_integers(found[0].second.centred) &&
                                 fits_integers(found[1].second.centred);
        for (const auto& [port, matrix] : found) {
            const Output& product = op->input(port);
            const bool sole = product.consumers().size() == 1;
            const std::string name =
                product.node().name() + (sole ? "" : "_" + std::to_string(port));
            const NodePtr weights = holds ? held(matrix, name, as_integers) : widened(matrix);
            weights->set_name(name);
            op->set_input(port, weights);
            changed = true;
        }
    }
    return changed;
}

}  // namespace rondo::cpu
