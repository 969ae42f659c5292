// Evaluates CumSum and CumProd.
#include "core/ops/reduction/reduction_ops.hpp"

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

template <typename T>
void run_line(const T* from, T* to, const AxisLines& lines, bool multiplies,
              const ops::Cumulation::Options& options) {
    T result{multiplies ? T{1} : T{0}};
    for (std::size_t i = 0; i < lines.extent; ++i) {
        const std::size_t at = (options.reverse ? lines.extent - 1 - i : i) * lines.inner;
        const T before = result;
        result = multiplies ? before * from[at] : before + from[at];
        to[at] = options.exclusive ? before : result;
    }
}

}  // namespace

void cum_sum(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Shape& shape = inputs[0].shape();
    const std::size_t axis =
        normalize_axis(known_context(node, inputs), to_int64_vector(inputs[1]).at(0), shape.size());
    const auto& options = static_cast<const ops::Cumulation&>(node).options();
    const bool multiplies = as_op<ops::CumProd>(node) != nullptr;
    const AxisLines lines(shape, axis);
    compute_numbers(inputs[0], inputs[0], outputs[0],
                    [&](const auto& x, const auto&, auto& result) {
                        for (std::size_t line = 0; line < lines.count(); ++line) {
                            const std::size_t start = lines.start(line);
                            run_line(&x[start], &result[start], lines, multiplies, options);
                        }
                    });
}

}  // namespace rondo::reference
