// Evaluates RandomUniform. Without a seed each call gives other numbers.
#include "core/ops/source/random_uniform.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/source/evaluators.hpp"

namespace rondo::reference {

void random_uniform(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const ops::RandomRange range{outputs[0].element_type(), inputs[1].data(), inputs[2].data()};
    known_context(node, inputs)
        .check(ops::is_range(range), "the bound isn't above the least number");
    ops::write_uniform(range, static_cast<const ops::RandomUniform&>(node).seed(),
                       outputs[0].data(), 0, static_cast<std::int64_t>(outputs[0].size()));
}

}  // namespace rondo::reference
