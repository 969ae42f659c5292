// Converts Trilu: the elements on one side of a diagonal, zeros on the other.
#include "core/ops/elementwise/compare.hpp"
#include "core/ops/elementwise/select.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/diagonals.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_trilu(NodeContext& context) {
    const Output data = context.input(0);
    const ElementType type = NodeContext::known_type(data, "input");
    const bool is_upper = context.attributes().flag("upper", true);
    const Output k =
        context.has_input(1) ? context.input(1) : Output(make_int_scalar(context, "k", 0));
    const Diagonal diagonal = make_diagonal(context, data, k);
    const auto side =
        is_upper ? ops::CompareFunction::greater_equal : ops::CompareFunction::less_equal;
    const Output kept = context.make<ops::Compare>("kept", side, diagonal.columns, diagonal.meets);
    return {context.make<ops::Select>("", kept, data, make_filled(context, "zero", type, {}, 0))};
}

}  // namespace rondo::onnx
