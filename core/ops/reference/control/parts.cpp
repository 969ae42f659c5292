#include "core/ops/reference/control/parts.hpp"

#include <cstring>

namespace rondo::reference {
namespace {

std::size_t product(const Shape& shape, std::size_t from, std::size_t to) {
    std::size_t result = 1;
    for (std::size_t i = from; i < to; ++i) result *= shape[i];
    return result;
}

// Rows of `row` bytes, `from_step` bytes apart on one side and `to_step` on the other.
void copy_rows(const char* from, std::size_t from_step, char* to, std::size_t to_step,
               std::size_t row, std::size_t count) {
    for (std::size_t i = 0; i < count && row > 0; ++i) {
        std::memcpy(to + i * to_step, from + i * from_step, row);
    }
}

}  // namespace

Tensor take_part(const Tensor& whole, std::size_t axis, std::size_t first, std::size_t size) {
    Shape shape = whole.shape();
    const std::size_t extent = shape[axis];
    shape[axis] = size;
    Tensor part(whole.element_type(), shape);
    const std::size_t inner =
        product(shape, axis + 1, shape.size()) * size_of(whole.element_type());
    copy_rows(static_cast<const char*>(whole.data()) + first * inner, extent * inner,
              static_cast<char*>(part.data()), size * inner, size * inner, product(shape, 0, axis));
    return part;
}

Tensor join_parts(std::span<const Tensor> parts, std::size_t axis, bool reversed) {
    Shape shape = parts.front().shape();
    const std::size_t row =
        product(shape, axis, shape.size()) * size_of(parts.front().element_type());
    shape[axis] *= parts.size();
    Tensor whole(parts.front().element_type(), shape);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t place = reversed ? parts.size() - 1 - i : i;
        copy_rows(static_cast<const char*>(parts[i].data()), row,
                  static_cast<char*>(whole.data()) + place * row, parts.size() * row, row,
                  product(shape, 0, axis));
    }
    return whole;
}

}  // namespace rondo::reference
