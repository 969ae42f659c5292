// Evaluates Slice.
#include "core/ops/movement/slice.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {

void slice(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const Tensor& data = inputs[0];
    const auto requests = ops::slice_requests(known_context(node, inputs)).value();
    std::ptrdiff_t offset = 0;
    Strides strides = data.strides();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto range = resolve(requests[i], static_cast<std::int64_t>(data.shape()[i]));
        offset += range.start * strides[i];
        strides[i] *= range.step;
    }
    view(data, offset, outputs[0].shape(), strides).copy_to(outputs[0]);
}

}  // namespace rondo::reference
