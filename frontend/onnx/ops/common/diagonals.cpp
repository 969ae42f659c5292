#include "frontend/onnx/ops/common/diagonals.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/source/range.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// 0, 1, ... for an axis.
Output make_numbers(NodeContext& context, const std::string& role, const Output& shape,
                    std::int64_t axis) {
    const Output extent = context.make<ops::Gather>(role + "/stop", shape,
                                                    make_int_scalar(context, role + "/index", axis),
                                                    make_int_scalar(context, role + "/axis", 0));
    return context.make<ops::Range>(role, make_int_scalar(context, role + "/start", 0), extent,
                                    make_int_scalar(context, role + "/step", 1), ElementType::i64);
}

// A diagonal far outside is outside of any matrix: the sum with a row's number must not overflow.
Output make_bounded(NodeContext& context, const Output& k) {
    constexpr auto kFar = static_cast<std::int64_t>(kMaxElements);
    const Output above = context.make<ops::Binary>("k_bounded_below", BinaryFunction::maximum, k,
                                                   make_int_scalar(context, "k_min", -kFar));
    return context.make<ops::Binary>("k_bounded", BinaryFunction::minimum, above,
                                     make_int_scalar(context, "k_max", kFar));
}

}  // namespace

Diagonal make_diagonal(NodeContext& context, const Output& data, const Output& k) {
    if (data.shape().has_rank() && data.shape().rank() < 2) {
        throw ModelError("the input has shape " + to_string(data.shape()) +
                         "; expected matrices, rank 2 or more");
    }
    return make_diagonal_in(context, make_shape_of(context, "shape", data), k);
}

Diagonal make_diagonal_in(NodeContext& context, const Output& shape, const Output& k) {
    const Output rows = make_numbers(context, "rows", shape, -2);
    const Output column =
        context.make<ops::Unsqueeze>("rows_as_column", rows, make_ints(context, "rows/axes", {1}));
    return {make_numbers(context, "columns", shape, -1),
            make_sum(context, "diagonal", column, make_bounded(context, k))};
}

}  // namespace rondo::onnx
