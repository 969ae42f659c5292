// Select: copies the bytes of one of two elements.
#include "core/ops/elementwise/select.hpp"

#include <cstring>

#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"

namespace rondo::reference {

void select(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto condition = to_words_or_bits(inputs[0]);
    const Shape& shape = outputs[0].shape();
    std::vector<std::size_t> at_condition;
    const auto strides = broadcast_strides(inputs[0].shape(), shape);
    walk(shape, strides, strides, [&](std::size_t at, std::size_t) { at_condition.push_back(at); });
    const std::size_t bytes = size_of(outputs[0].element_type());
    const auto* yes = static_cast<const char*>(inputs[1].data());
    const auto* no = static_cast<const char*>(inputs[2].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for_each_pair(inputs.subspan(1), shape, [&](std::size_t i, std::size_t y, std::size_t n) {
        const char* from = condition[at_condition[i]] != 0 ? yes + y * bytes : no + n * bytes;
        std::memcpy(to + i * bytes, from, bytes);
    });
}

}  // namespace rondo::reference
