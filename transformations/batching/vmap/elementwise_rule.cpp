// Elementwise ops and products, whose shapes are aligned at their last axes.

#include <algorithm>
#include <utility>

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

bool is_transposed(const LiftStep& step, std::size_t input) {
    const auto& op = dynamic_cast<const ops::MatMul&>(*step.node);
    return input == 0 ? op.transpose_a() : op.transpose_b();
}

// A matrix of an input of rank 1: a row (a) or a column (b), as it is to be once it is transposed.
Output matrix(const LiftStep& step, std::size_t input) {
    if (step.rank(input) > 1) return step.apart(input);
    const bool is_row = (input == 0) != is_transposed(step, input);
    return step.make<ops::Unsqueeze>("matrix", step.apart(input), step.ints({is_row ? 1 : 2}));
}

// The rank that the input has as a matrix.
std::size_t matrix_rank(const LiftStep& step, std::size_t input) {
    const bool is_vector = step.rank(input) == 1 && step.has_rows(input);
    return is_vector ? 2 : step.rank(input);
}

Output operand(const LiftStep& step, std::size_t input, std::size_t rank) {
    if (!step.has_rows(input)) return step.plain(input);
    const std::size_t missing = rank - matrix_rank(step, input);
    const Output value = matrix(step, input);
    if (missing == 0) return value;
    std::vector<std::int64_t> axes;
    for (std::size_t i = 1; i <= missing; ++i) axes.push_back(static_cast<std::int64_t>(i));
    return step.make<ops::Unsqueeze>("wide", value, step.ints(axes));
}

}  // namespace

std::optional<LiftedValues> lift_elementwise(const LiftStep& step) {
    if (!step.node->traits().elementwise) return {};
    const auto* op = as_op<ops::Broadcasting>(*step.node);
    const bool equal_shapes = op != nullptr && op->auto_broadcast() == ops::AutoBroadcast::none;
    const std::size_t rank = step.node->output_shape(0).rank();
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const bool stays = !step.has_rows(i) && !equal_shapes;
        inputs.push_back(stays ? step.plain(i) : step.widened(i, rank - step.rank(i)));
    }
    return LiftedValues{LiftedValue::rows_apart(Output(step.clone(std::move(inputs)), 0))};
}

std::optional<LiftedValues> lift_matmul(const LiftStep& step) {
    if (as_op<ops::MatMul>(*step.node) == nullptr) return {};
    const bool rows_by_matrix = step.rank(0) == 1 && !step.has_rows(1) && step.rank(1) == 2;
    if (rows_by_matrix && !is_transposed(step, 0)) {  // [N,K] is a matrix already
        return LiftedValues{
            LiftedValue::rows_apart(Output(step.clone({step.apart(0), step.plain(1)}), 0))};
    }
    const std::size_t rank = std::max({matrix_rank(step, 0), matrix_rank(step, 1)});
    Output result(step.clone({operand(step, 0, rank), operand(step, 1, rank)}), 0);
    std::vector<std::int64_t> dropped;
    const bool b_is_vector = step.rank(1) == 1;
    if (step.rank(0) == 1 && step.has_rows(0)) {
        dropped.push_back(b_is_vector && !step.has_rows(1) ? -1 : -2);
    }
    if (b_is_vector && step.has_rows(1)) dropped.push_back(-1);
    if (!dropped.empty()) {
        result = step.make<ops::Squeeze>("vector", result, step.ints(dropped));
    }
    return LiftedValues{LiftedValue::rows_apart(result)};
}

}  // namespace rondo::passes
