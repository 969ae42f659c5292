// Evaluates Range.
#include "core/ops/source/range.hpp"

#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/source/evaluators.hpp"

namespace rondo::reference {

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

}  // namespace rondo::reference
