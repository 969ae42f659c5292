#include "frontend/onnx/messages/sparse_tensor.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/support/errors.hpp"
#include "frontend/onnx/messages/dims.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The place in the flattened tensor of coordinates, or of a place that is flat already.
std::size_t place_of(const std::int64_t* index, const Shape& extents) {
    std::size_t place = 0;
    for (const std::size_t extent : extents) {
        const std::int64_t at = *index++;
        if (at < 0 || static_cast<std::size_t>(at) >= extent) {
            throw ModelError("an index is " + std::to_string(at) + "; expected 0 to " +
                             std::to_string(extent) + " exclusive");
        }
        place = place * extent + static_cast<std::size_t>(at);
    }
    return place;
}

// The extents that a row of indices counts along: those of the tensor, or all of it as one.
Shape index_extents(const Tensor& values, const Tensor& indices, const Shape& dense) {
    const std::size_t count = values.size();
    if (values.shape().size() != 1) {
        throw ModelError("its values have shape " + to_string(values.shape()) +
                         "; expected one axis");
    }
    if (indices.element_type() == ElementType::i64) {
        if (indices.shape() == Shape{count}) return {element_count(dense)};
        if (indices.shape() == Shape{count, dense.size()}) return dense;
    }
    throw ModelError("its indices are " + std::string(to_string(indices.element_type())) +
                     to_string(indices.shape()) + "; expected i64" + to_string(Shape{count}) +
                     " or i64" + to_string(Shape{count, dense.size()}));
}

Tensor densified(const Tensor& values, const Tensor& indices, const Shape& shape) {
    const Shape extents = index_extents(values, indices, shape);
    Tensor dense(values.element_type(), shape);  // zeros
    const std::size_t size = size_of(values.element_type());
    const auto* from = static_cast<const std::byte*>(values.data());
    auto* to = static_cast<std::byte*>(dense.data());
    std::size_t next = 0;  // where the next element may be
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t place =
            place_of(indices.data<std::int64_t>() + i * extents.size(), extents);
        if (place < next) {
            throw ModelError("its indices don't ascend: entry " + std::to_string(i) +
                             " is not behind the one before it");
        }
        std::memcpy(to + place * size, from + i * size, size);
        next = place + 1;
    }
    return dense;
}

}  // namespace

Tensor read_sparse_tensor(const rondo_onnx::SparseTensorProto& sparse, TensorReader& reader) {
    const Tensor values = reader.read(sparse.values());
    const auto place = [&] { return "sparse tensor '" + sparse.values().name() + "'"; };
    return at_place(place, [&] {
        const Shape shape = shape_of_dims(sparse.dims());
        // A few bytes may name a dense tensor of any size.
        reader.memory().check(element_count(shape) * size_of(values.element_type()));
        return densified(values, reader.read(sparse.indices()), shape);
    });
}

}  // namespace rondo::onnx
