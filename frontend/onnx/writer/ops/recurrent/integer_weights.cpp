#include "frontend/onnx/writer/ops/recurrent/integer_weights.hpp"

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"

namespace rondo::onnx {
namespace {

using ops::RecurrentOp;

std::optional<IntegerMatrix> integer_matrix(const Output& output) {
    const Node& product = output.node();
    if (!is(product, ops::BinaryFunction::multiply)) return {};
    const auto convert = as<ops::Convert>(product.input(0));
    const Tensor scales = known_value(product.input(1));
    const Tensor integers = convert ? known_value(convert->input(0)) : Tensor();
    if (!integers || integers.element_type() != ElementType::i8 || !scales) return {};
    if (scales.element_type() != ElementType::f32) return {};
    const Shape& shape = integers.shape();
    const Shape& of_scales = scales.shape();
    if (shape.size() != 3 || of_scales.size() != 3 || of_scales[0] != shape[0]) return {};
    if (of_scales[2] != 1 || (of_scales[1] != 1 && of_scales[1] != shape[1])) return {};
    return IntegerMatrix{integers.contiguous(), scales.contiguous()};
}

}  // namespace

std::optional<IntegerWeights> integer_weights(const RecurrentOp& op) {
    const auto mark = op.rt_info().find(kDynamicQuantization);
    if (mark == op.rt_info().end() || !mark->second.empty()) return {};
    if (op.cell_kind() != ops::CellKind::lstm || !op.is_sequence()) return {};
    if (op.output_type(0) != ElementType::f32) return {};
    const auto w = integer_matrix(op.input(op.w_port()));
    const auto r = integer_matrix(op.input(op.r_port()));
    if (!w || !r) return {};
    return IntegerWeights{*w, *r};
}

bool is_taken_in(const Node& node) {
    if (node.output_count() != 1 || node.consumers(0).empty()) return false;
    const auto& readers = node.consumers(0);
    return std::all_of(readers.begin(), readers.end(), [&](const Consumer& reader) {
        const auto* op = dynamic_cast<const RecurrentOp*>(reader.node);
        if (op == nullptr) {
            return as_op<ops::Convert>(node) != nullptr &&
                   is(*reader.node, ops::BinaryFunction::multiply) && is_taken_in(*reader.node);
        }
        const bool is_weight = reader.input == op->w_port() || reader.input == op->r_port();
        return is_weight && integer_weights(*op).has_value();
    });
}

}  // namespace rondo::onnx
