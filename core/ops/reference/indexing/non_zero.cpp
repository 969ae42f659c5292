// Evaluates NonZero.
#include "core/ops/indexing/non_zero.hpp"

#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/indexing/evaluators.hpp"

namespace rondo::reference {

void non_zero(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const Shape& shape = inputs[0].shape();
    const std::size_t count = outputs[0].shape()[1];
    std::vector<std::uint64_t> places(outputs[0].size());
    std::vector<std::size_t> index(shape.size());
    std::size_t column = 0;
    for (const bool is_found : ops::are_non_zero(inputs[0])) {
        if (is_found) {
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                places[axis * count + column] = index[axis];
            }
            ++column;
        }
        next_index(index, shape);
    }
    from_words(places, outputs[0]);
}

}  // namespace rondo::reference
