#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"
#include "transformations/simplify/compressed_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

// Integers [..,G*H,K] less their zero points, and the scales [..,G*H,1] of their rows.
struct Matrix {
    Tensor centred;  // i16
    Tensor scales;   // f32
};

// A number for each row of a matrix [..,G*H,K], out of a tensor that is broadcast to [..,G*H,1];
// else nothing.
std::optional<std::vector<float>> numbers_of_rows(const Output& output, Shape matrix) {
    matrix.back() = 1;
    return passes::broadcast_numbers(passes::f32_constant(output), matrix);
}

Tensor scale_tensor(const std::vector<float>& scales, Shape matrix) {
    matrix.back() = 1;
    Tensor result(ElementType::f32, matrix);
    std::copy(scales.begin(), scales.end(), result.data<float>());
    return result;
}

bool is_byte(float value) {
    return value >= std::numeric_limits<std::int8_t>::min() &&
           value <= std::numeric_limits<std::uint8_t>::max() && std::trunc(value) == value;
}

template <typename T>
Tensor centred_as(const Tensor& values, const std::vector<float>& zero_points) {
    Tensor result(ElementType::i16, values.shape());
    const std::size_t k = values.shape().back();
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

// Integers of 16 bits, as expand_fused() writes those that 8 bits don't hold.
std::optional<Matrix> words_of(const Tensor& values, const passes::CompressedWeights& weights) {
    const auto* numbers = values.data<std::int16_t>();
    const bool fits = std::all_of(numbers, numbers + values.size(), [](std::int16_t number) {
        return std::abs(number) <= kMostOfI16Weights;
    });
    const auto scales = numbers_of_rows(weights.scale, values.shape());
    if (!fits || !scales) return {};
    return Matrix{values, scale_tensor(*scales, values.shape())};
}

// In f32, of rows with a scale each, or nothing.
std::optional<Matrix> matrix_of(const Output& output) {
    const auto weights = passes::compressed_weights(output);
    if (!weights || weights->computed != ElementType::f32) return {};
    if (!as<ops::Binary>(weights->chain.back())) return {};  // a Reshape or a Convert follows
    const Tensor values = weights->integers.contiguous();
    if (values.shape().size() < 2) return {};
    const ElementType type = values.element_type();
    if (type == ElementType::i16 && !weights->zero_point) return words_of(values, *weights);
    if (type != ElementType::i8 && type != ElementType::u8) return {};
    const auto scales = numbers_of_rows(weights->scale, values.shape());
    auto zeros = std::optional(std::vector<float>(scales ? scales->size() : 0));
    if (weights->zero_point) zeros = numbers_of_rows(weights->zero_point, values.shape());
    if (!scales || !zeros || !std::all_of(zeros->begin(), zeros->end(), is_byte)) return {};
    Matrix matrix;
    matrix.centred = type == ElementType::u8 ? centred_as<std::uint8_t>(values, *zeros)
                                             : centred_as<std::int8_t>(values, *zeros);
    matrix.scales = scale_tensor(*scales, values.shape());
    return matrix;
}

bool has_finite_scales(const Matrix& matrix) {
    const float* scales = matrix.scales.data<float>();
    return std::all_of(scales, scales + matrix.scales.size(),
                       [](float scale) { return std::isfinite(scale); });
}

bool takes_integers(const RecurrentOp& op) {
    const auto is_constant = [&](std::size_t port) {
        return port == RecurrentOp::npos || bool(passes::f32_constant(op.input(port)));
    };
    return op.rt_info().contains(kDynamicQuantization) && op.output_type(0) == ElementType::f32 &&
           is_constant(op.b_port()) && is_constant(op.p_port());
}

// Products with quantised rows take no longer ones: 32 bits hold any sum.
bool is_short(const Matrix& matrix) {
    return matrix.centred.shape().back() <= static_cast<std::size_t>(kMaxQuantized);
}

bool fits_bytes(const Matrix& matrix) {
    const auto* numbers = matrix.centred.data<std::int16_t>();
    return std::all_of(numbers, numbers + matrix.centred.size(), [](std::int16_t number) {
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

NodePtr held(const Matrix& matrix, const std::string& name, bool as_bytes) {
    const auto values = make_node<ops::Constant>(as_bytes ? bytes(matrix.centred) : matrix.centred);
    const auto scales = make_node<ops::Constant>(matrix.scales);
    values->set_name(name + "/values");
    scales->set_name(name + "/scales");
    return make_node<ScaledWeights>(values, scales);
}

// The difference is exact in f32, the product rounded once, as in the ops that it replaces.
NodePtr widened(const Matrix& matrix) {
    Tensor wide(ElementType::f32, matrix.centred.shape());
    const std::size_t k = wide.shape().back();
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

bool keep_int8_weights(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        const auto op = as<RecurrentOp>(node);
        if (!op) continue;
        std::vector<std::pair<std::size_t, Matrix>> found;
        for (const std::size_t port : {op->w_port(), op->r_port()}) {
            if (auto matrix = matrix_of(op->input(port))) found.emplace_back(port, *matrix);
        }
        const bool holds = found.size() == 2 && takes_integers(*op) &&
                           std::all_of(found.begin(), found.end(), [](const auto& of_port) {
                               return has_finite_scales(of_port.second) && is_short(of_port.second);
                           });
        const bool as_bytes = holds && fits_bytes(found[0].second) && fits_bytes(found[1].second);
        for (const auto& [port, matrix] : found) {
            const Output& product = op->input(port);
            const bool sole = product.consumers().size() == 1;
            const std::string name =
                product.node().name() + (sole ? "" : "_" + std::to_string(port));
            const NodePtr weights = holds ? held(matrix, name, as_bytes) : widened(matrix);
            weights->set_name(name);
            op->set_input(port, weights);
            changed = true;
        }
    }
    return changed;
}

}  // namespace rondo::cpu
