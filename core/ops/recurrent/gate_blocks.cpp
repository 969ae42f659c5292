#include "core/ops/recurrent/gate_blocks.hpp"

#include <cstring>
#include <memory>

namespace rondo::ops {

bool keep_places(std::span<const std::size_t> order, std::size_t count) {
    if (order.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (order[i] != i) return false;
    }
    return true;
}

Tensor ordered_blocks(const Tensor& value, std::size_t count, std::span<const std::size_t> order) {
    if (keep_places(order, count)) return value;
    Shape shape = value.shape();
    shape[1] = shape[1] / count * order.size();
    Tensor result(value.element_type(), shape);  // zeros
    const std::size_t blocks = shape[0] * count;
    const std::size_t block = blocks == 0 ? 0 : value.byte_size() / blocks;
    const auto* from = static_cast<const char*>(value.data());
    auto* to = static_cast<char*>(result.data());
    for (std::size_t d = 0; d < shape[0]; ++d) {
        for (const std::size_t number : order) {
            if (number != kZeroBlock) std::memcpy(to, from + (d * count + number) * block, block);
            to += block;
        }
    }
    return result;
}

Tensor transposed_matrices(Tensor matrices) {
    const Shape& shape = matrices.shape();
    const Strides& strides = matrices.strides();
    const Tensor turned(matrices.element_type(), {shape[0], shape[2], shape[1]},
                        matrices.strided_data(), {strides[0], strides[2], strides[1]},
                        std::make_shared<Tensor>(matrices));
    return turned.contiguous();
}

}  // namespace rondo::ops
