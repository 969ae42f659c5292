#include "core/ops/reference/indexing/targets.hpp"

#include "core/ops/reference/common/indices.hpp"

namespace rondo::reference {
namespace {

std::size_t element_at(const Shape& shape, const std::vector<std::size_t>& index) {
    std::size_t element = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        element = element * shape[axis] + index[axis];
    }
    return element;
}

std::size_t product(const Shape& shape, std::size_t first, std::size_t last) {
    std::size_t result = 1;
    for (std::size_t axis = first; axis < last; ++axis) result *= shape[axis];
    return result;
}

}  // namespace

std::vector<std::size_t> element_targets(const InferContext& context, const Shape& data,
                                         const Tensor& indices, std::size_t axis) {
    const auto places = places_on_axis(context, indices, data[axis]);
    std::vector<std::size_t> targets;
    std::vector<std::size_t> index(data.size());
    for (const std::size_t place : places) {
        std::vector<std::size_t> target = index;
        target[axis] = place;
        targets.push_back(element_at(data, target));
        next_index(index, indices.shape());
    }
    return targets;
}

std::vector<std::size_t> slice_targets(const InferContext& context, const Shape& data,
                                       const Tensor& indices, std::size_t batch) {
    const bool is_u64 = indices.element_type() == ElementType::u64;
    const std::size_t count = indices.shape().back();
    const std::size_t tuples = indices.size() / count;
    const std::size_t in_batch = product(indices.shape(), batch, indices.shape().size() - 1);
    const std::size_t elements = product(data, batch + count, data.size());
    const auto values = to_int64_vector(indices);
    std::vector<std::size_t> targets;
    for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
        std::size_t slice = tuple / in_batch;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t extent = data[batch + i];
            slice =
                slice * extent + place_on_axis(context, values[tuple * count + i], is_u64, extent);
        }
        for (std::size_t i = 0; i < elements; ++i) targets.push_back(slice * elements + i);
    }
    return targets;
}

}  // namespace rondo::reference
