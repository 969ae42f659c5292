#include "transformations/simplify/compressed_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/graph/constants.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/compressed_matrix.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes {
namespace {

bool has_few_bits(ElementType type) {
    constexpr ElementType kTypes[] = {ElementType::u8, ElementType::i8, ElementType::u4,
                                      ElementType::i4, ElementType::u2, ElementType::i2};
    return std::ranges::find(kTypes, type) != std::end(kTypes);
}

// Whether its difference from a byte is exact, in f16, too.
bool is_small_integer(float value) {
    constexpr float kMost = 1024;
    return std::trunc(value) == value && std::abs(value) <= kMost;
}

// [groups, N] -> [N, groups].
std::vector<float> columns_first(const std::vector<float>& numbers, std::int64_t n) {
    const std::int64_t groups = n == 0 ? 0 : static_cast<std::int64_t>(numbers.size()) / n;
    std::vector<float> result;
    result.reserve(numbers.size());
    for (std::int64_t column = 0; column < n; ++column) {
        for (std::int64_t group = 0; group < groups; ++group) {
            result.push_back(numbers[static_cast<std::size_t>(group * n + column)]);
        }
    }
    return result;
}

// Whether the zero points are as layout_of() needs them.
bool has_zero_points(const CompressedWeights& weights, const Shape& numbers) {
    if (!weights.zero_point) return true;
    const Tensor zeros = f32_constant(weights.zero_point);
    const float* values = zeros.data<float>();
    return ops::broadcasts_to(zeros.shape(), numbers) &&
           std::all_of(values, values + zeros.size(), is_small_integer);
}

// Whether a product may be that of a gate: what reads it, or the elements that it moves or adds to
// others, is a sigmoid, a tanh or a recurrent layer. The passes that recognise cells and join
// linear layers look for constants.
bool may_be_gate(const Output& product, int steps = 6) {
    if (steps == 0) return false;
    return std::ranges::any_of(product.consumers(), [&](const Consumer& reader) {
        const Node& node = *reader.node;
        if (const auto* unary = as_op<ops::Unary>(node)) {
            return unary->function() == ops::UnaryFunction::sigmoid ||
                   unary->function() == ops::UnaryFunction::tanh;
        }
        if (dynamic_cast<const ops::RecurrentOp*>(&node) != nullptr) return true;
        if (!is(node, ops::BinaryFunction::add) && !node.traits().moves_elements) return false;
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            if (may_be_gate(Output(reader.node->shared_from_this(), i), steps - 1)) return true;
        }
        return false;
    });
}

}  // namespace

std::optional<CompressedLayout> layout_of(const CompressedWeights& weights, const Shape& matrix,
                                          bool transposed) {
    const auto groups = ops::compressed_groups(weights.integers.shape(), matrix, transposed);
    const bool fits =
        groups && ops::broadcasts_to(weights.scale.shape().to_shape(), groups->numbers);
    if (!fits || !has_zero_points(weights, groups->numbers)) return {};
    CompressedLayout layout;
    layout.n = static_cast<std::int64_t>(matrix[transposed ? 0 : 1]);
    layout.k = static_cast<std::int64_t>(matrix[transposed ? 1 : 0]);
    layout.group = groups->size;
    const auto numbers = [&](const Output& of) {
        const auto values = *broadcast_numbers(f32_constant(of), groups->numbers);
        return transposed ? values : columns_first(values, layout.n);
    };
    layout.scales = numbers(weights.scale);
    layout.zeros =
        weights.zero_point ? numbers(weights.zero_point) : std::vector<float>(layout.scales.size());
    return layout;
}

std::optional<CompressedWeights> worth_keeping(const ops::MatMul& product) {
    const Output& matrix = product.input(1);
    const PartialShape& shape = matrix.shape();
    if (product.transpose_a() || matrix.element_type() != ElementType::f32 || !shape.is_static()) {
        return {};
    }
    auto weights = compressed_weights(matrix);
    if (!weights || !has_few_bits(weights->integers.element_type())) return {};
    const Shape& integers = weights->integers.shape();
    const Shape columns = shape.to_shape();
    const bool transposed = product.transpose_b();
    const bool holds =
        ops::stays_compressed(integers, weights->scale.shape().to_shape(), columns, transposed) &&
        has_zero_points(*weights, ops::compressed_groups(integers, columns, transposed)->numbers);
    return holds ? std::move(weights) : std::nullopt;
}

Tensor f32_constant(const Output& output) {
    const auto evaluated = [](const ops::Convert& convert, const Tensor& input) {
        const std::array inputs{input.contiguous()};
        return reference::evaluate(convert, inputs).front();
    };
    Tensor known = known_value(output);
    if (const auto convert = as<ops::Convert>(output); convert && !known) {
        if (const Tensor input = known_value(convert->input(0))) known = evaluated(*convert, input);
    }
    if (!known) return known;
    if (known.element_type() == ElementType::f32) return known.contiguous();
    const auto constant = make_node<ops::Constant>(known);
    return evaluated(*make_node<ops::Convert>(constant, ElementType::f32), known);
}

std::optional<std::vector<float>> broadcast_numbers(const Tensor& tensor, const Shape& shape) {
    if (!tensor || !ops::broadcasts_to(tensor.shape(), shape)) return {};
    Shape own(shape.size() - tensor.shape().size(), 1);
    own.insert(own.end(), tensor.shape().begin(), tensor.shape().end());
    std::vector<float> numbers;
    const auto strides = reference::broadcast_strides(own, shape);
    reference::walk(shape, strides, strides, [&](std::size_t place, std::size_t) {
        numbers.push_back(tensor.data<float>()[place]);
    });
    return numbers;
}

std::optional<CompressedWeights> compressed_weights(const Output& output) {
    CompressedWeights weights;
    Output at = output;
    const auto step = [&](std::size_t input) {
        weights.chain.push_back(at.node_ptr());
        at = at.node().input(input);
    };
    for (bool is_outer = true; is_outer;) {
        const auto reshape = as<ops::Reshape>(at);
        const auto convert = as<ops::Convert>(at);
        is_outer = (reshape && known_value(reshape->input(1))) ||
                   (convert && convert->input(0).element_type() == ElementType::f16);
        if (is_outer) step(0);
    }
    if (!is(at.node(), ops::BinaryFunction::multiply)) return {};
    weights.computed = at.element_type();
    weights.scale = at.node().input(1);
    step(0);
    if (is(at.node(), ops::BinaryFunction::subtract)) {
        weights.zero_point = at.node().input(1);
        step(0);
    }
    const auto convert = as<ops::Convert>(at);
    if (!convert || convert->destination_type() != weights.computed) return {};
    weights.integers = known_value(convert->input(0));
    step(0);
    std::reverse(weights.chain.begin(), weights.chain.end());
    const bool is_known = weights.integers && f32_constant(weights.scale) &&
                          (!weights.zero_point || f32_constant(weights.zero_point));
    if (!is_known) return {};
    return weights;
}

bool keep_compressed_weights(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        const auto product = as<ops::MatMul>(node);
        const auto weights = product ? worth_keeping(*product) : std::nullopt;
        if (!weights || weights->chain.front()->rt_info().contains(kDecompression)) continue;
        const bool is_sole = std::ranges::all_of(
            weights->chain, [](const NodePtr& link) { return has_sole_consumer(link->output(0)); });
        if (!is_sole || may_be_gate(product->output(0))) continue;
        weights->chain.front()->rt_info().emplace(kDecompression, "");
        changed = true;
    }
    return changed;
}

}  // namespace rondo::passes
