#include "core/ops/reference/common/walk.hpp"

namespace rondo::reference {

ElementStrides broadcast_strides(const Shape& shape, const Shape& walked) {
    ElementStrides strides(walked.size());
    std::size_t stride = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last axis on
        const std::size_t extent = shape[shape.size() - 1 - i];
        strides[walked.size() - 1 - i] = extent == 1 ? 0 : stride;
        stride *= extent;
    }
    return strides;
}

void walk(const Shape& shape, const ElementStrides& a, const ElementStrides& b,
          FunctionRef<void(std::size_t, std::size_t)> visit) {
    std::vector<std::size_t> index(shape.size());
    const std::size_t count = element_count(shape);
    std::size_t at_a = 0;
    std::size_t at_b = 0;
    for (std::size_t i = 0; i < count; ++i) {
        visit(at_a, at_b);
        for (std::size_t axis = shape.size(); axis-- > 0;) {  // the next index, odometer-wise
            at_a += a[axis];
            at_b += b[axis];
            if (++index[axis] < shape[axis]) break;
            at_a -= a[axis] * shape[axis];
            at_b -= b[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}

}  // namespace rondo::reference
