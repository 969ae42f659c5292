// The logical family: the formulas.
#include "core/ops/elementwise/logical.hpp"

#include <iterator>

#include "core/ops/common/visit_function.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"

namespace rondo::reference {

void logical(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    bool* to = outputs[0].data<bool>();
    const auto function = static_cast<const ops::Logical&>(node).function();
    ops::visit_function<std::size(ops::kLogicalOps)>(function, [&](auto known) {
        for_each_pair(inputs, outputs[0].shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            to[i] = ops::holds<known()>(a[x] != 0, b[y] != 0);
        });
    });
}

}  // namespace rondo::reference
