// The compare family: the formulas, on doubles and on 64-bit words.
#include "core/ops/elementwise/compare.hpp"

#include <iterator>

#include "core/ops/common/visit_function.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"

namespace rondo::reference {
namespace {

using ops::CompareFunction;
using ops::holds;

template <CompareFunction function>
void apply(std::span<const Tensor> inputs, Tensor& output) {
    const ElementType type = inputs[0].element_type();
    bool* to = output.data<bool>();
    const auto all = [&](const auto& a, const auto& b, auto compare) {
        for_each_pair(inputs, output.shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            to[i] = compare(a[x], b[y]);
        });
    };
    if (is_floating(type)) {
        return all(to_doubles(inputs[0]), to_doubles(inputs[1]), holds<function, double>);
    }
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    if (!is_signed(type)) return all(a, b, holds<function, std::uint64_t>);
    all(a, b, [](std::uint64_t x, std::uint64_t y) {
        return holds<function>(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
    });
}

}  // namespace

void compare(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const CompareFunction function = static_cast<const ops::Compare&>(node).function();
    ops::visit_function<std::size(ops::kCompareOps)>(
        function, [&](auto known) { apply<known()>(inputs, outputs[0]); });
}

}  // namespace rondo::reference
