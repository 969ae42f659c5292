// Evaluates CumSum and CumProd.
#include "core/ops/reduction/reduction_ops.hpp"

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

struct RunningLine {
    std::size_t count;
    std::size_t stride;
    bool multiplies;
};

template <typename T>
void run_line(const T* from, T* to, const RunningLine& line,
              const ops::Cumulation::Options& options) {
    T result{line.multiplies ? T{1} : T{0}};
    for (std::size_t i = 0; i < line.count; ++i) {
        const std::size_t at = (options.reverse ? line.count - 1 - i : i) * line.stride;
        const T before = result;
        result = line.multiplies ? before * from[at] : before + from[at];
        to[at] = options.exclusive ? before : result;
    }
}

}  // namespace

void cum_sum(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Shape& shape = inputs[0].shape();
    const std::size_t axis =
        normalize_axis(known_context(node, inputs), to_int64_vector(inputs[1]).at(0), shape.size());
    const auto& options = static_cast<const ops::Cumulation&>(node).options();
    const std::size_t count = shape[axis];
    const bool multiplies = as_op<ops::CumProd>(node) != nullptr;
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
    compute_numbers(inputs[0], inputs[0], outputs[0],
                    [&](const auto& x, const auto&, auto& result) {
                        for (std::size_t start = 0; start < x.size(); start += count * stride) {
                            for (std::size_t i = start; i < start + stride; ++i) {
                                run_line(&x[i], &result[i], {count, stride, multiplies}, options);
                            }
                        }
                    });
}

}  // namespace rondo::reference
