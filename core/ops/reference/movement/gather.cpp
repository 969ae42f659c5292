// Evaluates Gather.
#include "core/ops/movement/gather.hpp"

#include <cstring>
#include <numeric>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {
namespace {

std::size_t product(const Shape& shape, std::size_t first, std::size_t last) {
    const auto begin = shape.begin();
    return std::accumulate(begin + static_cast<std::ptrdiff_t>(first),
                           begin + static_cast<std::ptrdiff_t>(last), std::size_t{1},
                           std::multiplies<>());
}

}  // namespace

void gather(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const Shape& data = inputs[0].shape();
    const Shape& shape = inputs[1].shape();
    const std::int64_t batch_dims = static_cast<const ops::Gather&>(node).batch_dims();
    const auto batch = static_cast<std::size_t>(
        batch_dims < 0 ? batch_dims + static_cast<std::int64_t>(shape.size()) : batch_dims);
    const std::size_t axis = normalize_axis(context, to_int64_vector(inputs[2]).at(0), data.size());
    const auto indices = places_on_axis(context, inputs[1], data[axis]);
    if (outputs[0].size() == 0) return;
    const std::size_t batches = product(shape, 0, batch);
    const std::size_t rows = product(data, batch, axis);
    const std::size_t count = product(shape, batch, shape.size());
    const std::size_t bytes =
        product(data, axis + 1, data.size()) * size_of(inputs[0].element_type());
    const auto* from = static_cast<const char*>(inputs[0].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for (std::size_t row = 0; row < batches * rows; ++row) {
        const std::size_t first = row / rows * count;
        for (std::size_t i = first; i < first + count; ++i, to += bytes) {
            std::memcpy(to, from + (row * data[axis] + indices[i]) * bytes, bytes);
        }
    }
}

}  // namespace rondo::reference
