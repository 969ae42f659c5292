// Evaluates CumSum.
#include "core/ops/reduction/cum_sum.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/reduction/evaluators.hpp"

namespace rondo::reference {
namespace {

// Places along a line that lie `stride` apart.
template <typename T>
void sum_line(const T* from, T* to, std::size_t count, std::size_t stride,
              const ops::CumSum::Options& options) {
    T sum{0};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = (options.reverse ? count - 1 - i : i) * stride;
        const T before = sum;
        sum += from[at];
        to[at] = options.exclusive ? before : sum;
    }
}

}  // namespace

void cum_sum(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Shape& shape = inputs[0].shape();
    const std::size_t axis =
        normalize_axis(known_context(node, inputs), to_int64_vector(inputs[1]).at(0), shape.size());
    const auto& options = static_cast<const ops::CumSum&>(node).options();
    const std::size_t count = shape[axis];
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
    compute_numbers(inputs[0], inputs[0], outputs[0],
                    [&](const auto& x, const auto&, auto& result) {
                        for (std::size_t start = 0; start < x.size(); start += count * stride) {
                            for (std::size_t i = start; i < start + stride; ++i) {
                                sum_line(&x[i], &result[i], count, stride, options);
                            }
                        }
                    });
}

}  // namespace rondo::reference
