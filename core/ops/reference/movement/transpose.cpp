// Evaluates Transpose.
#include "core/ops/movement/transpose.hpp"

#include <cstring>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {

void transpose(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const InferContext context(node, {});
    const auto order =
        ops::transpose_order(context, to_int64_vector(inputs[1]), data.shape().size());
    const std::size_t element = size_of(data.element_type());
    const auto* from = static_cast<const char*>(data.data());
    auto* to = static_cast<char*>(outputs[0].data());
    std::vector<std::size_t> index(order.size());
    for (std::size_t i = 0; i < outputs[0].size(); ++i) {
        std::ptrdiff_t offset = 0;
        for (std::size_t axis = 0; axis < order.size(); ++axis) {
            offset += static_cast<std::ptrdiff_t>(index[axis]) * data.strides()[order[axis]];
        }
        std::memcpy(to + i * element, from + offset, element);
        for (std::size_t axis = order.size(); axis-- > 0;) {  // the next index, odometer-wise
            if (++index[axis] < outputs[0].shape()[axis]) break;
            index[axis] = 0;
        }
    }
}

}  // namespace rondo::reference
