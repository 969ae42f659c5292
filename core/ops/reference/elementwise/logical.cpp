// The logical family: one row a function.
#include "core/ops/elementwise/logical.hpp"

#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"

namespace rondo::reference {
namespace {

using ops::LogicalFunction;

struct LogicalRow {
    LogicalFunction function;
    bool (*of)(bool a, bool b);
};

constexpr LogicalRow kRows[] = {
    {LogicalFunction::logical_and, [](bool a, bool b) { return a && b; }},
    {LogicalFunction::logical_or, [](bool a, bool b) { return a || b; }},
    {LogicalFunction::logical_xor, [](bool a, bool b) { return a != b; }},
};
static_assert(ops::in_order_of_functions(kRows) && std::size(kRows) == std::size(ops::kLogicalOps));

}  // namespace

void logical(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const LogicalRow& row =
        kRows[static_cast<int>(static_cast<const ops::Logical&>(node).function())];
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    bool* to = outputs[0].data<bool>();
    for_each_pair(inputs, outputs[0].shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
        to[i] = row.of(a[x] != 0, b[y] != 0);
    });
}

}  // namespace rondo::reference
