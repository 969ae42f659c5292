// The unary family: the formulas, on doubles and on 64-bit words.
#include "core/ops/elementwise/unary.hpp"

#include <iterator>

#include "core/ops/common/visit_function.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"

namespace rondo::reference {
namespace {

using ops::UnaryFunction;
using ops::value_of;

template <UnaryFunction function>
void apply(const Tensor& x, Tensor& y) {
    const ElementType type = x.element_type();
    if (is_floating(type)) {
        auto values = to_doubles(x);
        for (double& value : values) value = value_of<function>(value);
        return from_doubles(values, y);
    }
    auto words = to_words_or_bits(x);
    if (is_signed(type)) {
        for (auto& word : words) {
            word = static_cast<std::uint64_t>(value_of<function>(static_cast<std::int64_t>(word)));
        }
    } else {
        for (auto& word : words) word = value_of<function>(word);
    }
    type == ElementType::boolean ? to_booleans(words, y) : from_words(words, y);
}

}  // namespace

void unary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const UnaryFunction function = static_cast<const ops::Unary&>(node).function();
    ops::visit_function<std::size(ops::kUnaryOps)>(
        function, [&](auto known) { apply<known()>(inputs[0], outputs[0]); });
}

}  // namespace rondo::reference
