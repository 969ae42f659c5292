#include "plugins/cpu/nodes/product/matmul_sizes.hpp"

#include <algorithm>

#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {

Shape batch_of(const Shape& shape) {
    return shape.size() < 3 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
}

MatMulSizes sizes_of(const ops::MatMul& op, const Shape& a, const Shape& b) {
    MatMulSizes sizes;
    const auto extent = [](const Shape& shape, std::size_t from_end) {
        return static_cast<std::int64_t>(shape[shape.size() - from_end]);
    };
    sizes.a_transposed = a.size() > 1 && op.transpose_a();
    sizes.b_transposed = b.size() > 1 && op.transpose_b();
    sizes.k = extent(a, sizes.a_transposed ? 2 : 1);
    if (a.size() > 1) sizes.m = extent(a, sizes.a_transposed ? 1 : 2);
    if (b.size() > 1) sizes.n = extent(b, sizes.b_transposed ? 2 : 1);
    return sizes;
}

NdLoop<3> batch_loop(const CallSite& site) {
    const Shape& first = site.inputs[0].shape;
    const Shape& second = site.inputs[1].shape;
    const Shape& result = site.outputs[0].shape;
    const std::size_t rank = std::max({first.size(), second.size(), std::size_t{2}}) - 2;
    const Shape batch(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(rank));
    const Shape a = batch_of(first), b = batch_of(second);
    return broadcast_loop<2>({&a, &b}, batch);
}

}  // namespace rondo::cpu
