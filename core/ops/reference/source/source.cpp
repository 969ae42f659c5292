// Evaluates RandomUniform, Range and ShapeOf. Without a seed each call gives other random numbers.
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::reference {

void random_uniform(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const ops::RandomRange range{outputs[0].element_type(), inputs[1].data(), inputs[2].data()};
    known_context(node, inputs)
        .check(ops::is_range(range), "the bound isn't above the least number");
    ops::write_uniform(range, static_cast<const ops::RandomUniform&>(node).seed(),
                       outputs[0].data(), 0, static_cast<std::int64_t>(outputs[0].size()));
}

void range(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto number = [&](std::size_t input) {
        return ops::range_number(inputs[input].element_type(), inputs[input].data());
    };
    const ops::RangeNumber start = number(0);
    const ops::RangeNumber step = number(2);
    std::vector<std::uint64_t> words;
    std::vector<double> doubles;
    for (std::size_t i = 0; i < outputs[0].size(); ++i) {
        words.push_back(static_cast<std::uint64_t>(start.whole) +
                        i * static_cast<std::uint64_t>(step.whole));
        doubles.push_back(start.real + static_cast<double>(i) * step.real);
    }
    if (is_floating(outputs[0].element_type())) {
        from_doubles(doubles, outputs[0]);
    } else {
        from_words(words, outputs[0]);
    }
}

void shape_of(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    ops::shape_tensor(inputs[0].shape(), outputs[0].element_type()).copy_to(outputs[0]);
}

}  // namespace rondo::reference
