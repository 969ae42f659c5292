// Evaluates Split and VariadicSplit.
#include "core/ops/movement/split.hpp"

#include "core/ops/movement/variadic_split.hpp"
#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {
namespace {

// The outputs' own shapes say where to cut.
void cut(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const std::size_t axis = normalize_axis(known_context(node, inputs),
                                            to_int64_vector(inputs[1]).at(0), data.shape().size());
    std::size_t start = 0;
    for (auto& output : outputs) {
        if (output.size() == 0) continue;
        const auto offset = static_cast<std::ptrdiff_t>(start) * data.strides()[axis];
        view(data, offset, output.shape(), data.strides()).copy_to(output);
        start += output.shape()[axis];
    }
}

}  // namespace

void split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    cut(node, inputs, outputs);
}

void variadic_split(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    cut(node, inputs, outputs);
}

}  // namespace rondo::reference
