// Evaluates Tile.
#include "core/ops/movement/tile.hpp"

#include <cstring>

#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {

void tile(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const Shape& shape = outputs[0].shape();
    const std::size_t first = shape.size() - data.shape().size();
    const std::size_t bytes = size_of(data.element_type());
    auto* to = static_cast<char*>(outputs[0].data());
    std::vector<std::size_t> index(shape.size());
    for (std::size_t i = 0; i < outputs[0].size(); ++i, to += bytes) {
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < data.shape().size(); ++axis) {
            const std::size_t place = index[first + axis] % data.shape()[axis];
            offset += static_cast<std::ptrdiff_t>(place) * data.strides()[axis];
        }
        std::memcpy(to, static_cast<const char*>(data.data()) + offset, bytes);
        next_index(index, shape);
    }
}

}  // namespace rondo::reference
