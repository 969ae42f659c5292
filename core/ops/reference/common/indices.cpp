#include "core/ops/reference/common/indices.hpp"

#include <string>

namespace rondo::reference {

void next_index(std::vector<std::size_t>& index, const Shape& shape) {
    for (std::size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) return;
        index[axis] = 0;
    }
}

std::size_t place_on_axis(const InferContext& context, std::int64_t index, bool is_u64,
                          std::size_t extent) {
    const auto end = static_cast<std::int64_t>(extent);
    if (index < (is_u64 ? 0 : -end) || index >= end) {
        context.fail(
            "index " +
            (is_u64 ? std::to_string(static_cast<std::uint64_t>(index)) : std::to_string(index)) +
            " is out of range for an axis of extent " + std::to_string(end));
    }
    return static_cast<std::size_t>(index < 0 ? index + end : index);
}

std::vector<std::size_t> places_on_axis(const InferContext& context, const Tensor& indices,
                                        std::size_t extent) {
    const bool is_u64 = indices.element_type() == ElementType::u64;
    std::vector<std::size_t> places;
    for (const std::int64_t index : to_int64_vector(indices)) {
        places.push_back(place_on_axis(context, index, is_u64, extent));
    }
    return places;
}

}  // namespace rondo::reference
