#include "core/ops/reference/common/walk.hpp"

#include "core/support/nd_loop.hpp"

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
    std::vector<NdAxis<2>> axes(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        axes[i] = {static_cast<std::int64_t>(shape[i]),
                   {static_cast<std::int64_t>(a[i]), static_cast<std::int64_t>(b[i])}};
    }
    const NdLoop<2> loop(std::move(axes));
    const auto& run = loop.run();
    loop.for_each_run([&](const NdLoop<2>::Offsets& at) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            visit(static_cast<std::size_t>(at[0] + i * run.steps[0]),
                  static_cast<std::size_t>(at[1] + i * run.steps[1]));
        }
    });
}

}  // namespace rondo::reference
