// Evaluates TopK.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

// [outer, n, inner], of which k elements along the middle axis are taken.
struct Lines {
    std::size_t outer = 1, n = 1, inner = 1, k = 0;
};

template <typename Number>
struct Chosen {
    std::vector<Number> values;
    std::vector<std::uint64_t> places;
};

// `is_greater` is a strict order of the elements.
template <typename Number, typename Greater>
Chosen<Number> choose(const Lines& lines, const std::vector<Number>& data,
                      const ops::TopKAttributes& attributes, Greater is_greater) {
    Chosen<Number> chosen{std::vector<Number>(lines.outer * lines.k * lines.inner),
                          std::vector<std::uint64_t>(lines.outer * lines.k * lines.inner)};
    std::vector<std::size_t> order(lines.n);
    for (std::size_t line = 0; line < lines.outer * lines.inner; ++line) {
        const std::size_t outer = line / lines.inner, inner = line % lines.inner;
        const auto at = [&](std::size_t i) {
            return data[(outer * lines.n + i) * lines.inner + inner];
        };
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return attributes.mode == ops::TopKMode::max ? is_greater(at(a), at(b))
                                                         : is_greater(at(b), at(a));
        });
        if (attributes.sort == ops::TopKSort::index) {
            std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(lines.k));
        }
        for (std::size_t i = 0; i < lines.k; ++i) {
            const std::size_t to = (outer * lines.k + i) * lines.inner + inner;
            chosen.values[to] = at(order[i]);
            chosen.places[to] = order[i];
        }
    }
    return chosen;
}

}  // namespace

void top_k(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& attributes = static_cast<const ops::TopK&>(node).attributes();
    const Shape& shape = inputs[0].shape();
    const InferContext context(node, {});
    const std::size_t axis = normalize_axis(context, attributes.axis, shape.size());
    Lines lines;
    for (std::size_t i = 0; i < axis; ++i) lines.outer *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) lines.inner *= shape[i];
    lines.n = shape[axis];
    lines.k = outputs[0].shape()[axis];
    if (is_floating(inputs[0].element_type())) {
        const auto chosen =
            choose(lines, to_doubles(inputs[0]), attributes,
                   [](double a, double b) { return a > b || (std::isnan(a) && !std::isnan(b)); });
        from_doubles(chosen.values, outputs[0]);
        from_words(chosen.places, outputs[1]);
        return;
    }
    const bool has_sign = is_signed(inputs[0].element_type());
    const auto chosen =
        choose(lines, to_words(inputs[0]), attributes, [&](std::uint64_t a, std::uint64_t b) {
            return has_sign ? static_cast<std::int64_t>(a) > static_cast<std::int64_t>(b) : a > b;
        });
    from_words(chosen.values, outputs[0]);
    from_words(chosen.places, outputs[1]);
}

}  // namespace rondo::reference
