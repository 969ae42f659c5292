#include "plugins/cpu/nodes/elementwise/typed_node.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/compare.hpp"
#include "core/ops/elementwise/logical.hpp"
#include "core/ops/elementwise/select.hpp"
#include "core/ops/elementwise/unary.hpp"
#include "core/support/check.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/nodes/common/typed_call.hpp"

namespace rondo::cpu {

std::unique_ptr<CpuNode> make_typed_node(const Node& node) {
    const ElementType type = node.input(0).element_type();
    if (const auto* op = as_op<ops::Unary>(node)) {
        return make_typed_node<1>(node, typed_unary_loop(op->function(), type));
    }
    if (const auto* op = as_op<ops::Binary>(node)) {
        return make_typed_node<2>(node,
                                  typed_binary_loop(op->function(), type, op->python_division()));
    }
    if (const auto* op = as_op<ops::Compare>(node)) {
        return make_typed_node<2>(node, typed_compare_loop(op->function(), type));
    }
    if (const auto* op = as_op<ops::Logical>(node)) {
        return make_typed_node<2>(node, logical_loop(op->function()));
    }
    internal_check(as_op<ops::Select>(node) != nullptr, "an op of no elementwise family");
    return make_typed_node<3>(node, select_loop(size_of(node.output_type(0))));
}

}  // namespace rondo::cpu
