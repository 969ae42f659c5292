// Evaluates TopK.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

template <typename Number>
struct Chosen {
    std::vector<Number> values;
    std::vector<std::uint64_t> places;
};

// The first k elements of each line of the output. `is_greater` is a strict order of the elements.
template <typename Number, typename Greater>
Chosen<Number> choose(const AxisLines& lines, const AxisLines& taken,
                      const std::vector<Number>& data, const ops::TopKAttributes& attributes,
                      Greater is_greater) {
    const std::size_t k = taken.extent, size = taken.outer * k * taken.inner;
    Chosen<Number> chosen{std::vector<Number>(size), std::vector<std::uint64_t>(size)};
    std::vector<std::size_t> order(lines.extent);
    for (std::size_t line = 0; line < taken.count(); ++line) {
        const auto at = [&](std::size_t i) { return data[lines.start(line) + i * lines.inner]; };
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return attributes.mode == ops::TopKMode::max ? is_greater(at(a), at(b))
                                                         : is_greater(at(b), at(a));
        });
        if (attributes.sort == ops::TopKSort::index) {
            std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k));
        }
        for (std::size_t i = 0; i < k; ++i) {
            const std::size_t to = taken.start(line) + i * taken.inner;
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
    const AxisLines lines(shape, axis), taken(outputs[0].shape(), axis);
    if (is_floating(inputs[0].element_type())) {
        const auto chosen =
            choose(lines, taken, to_doubles(inputs[0]), attributes, is_greater_number);
        from_doubles(chosen.values, outputs[0]);
        from_words(chosen.places, outputs[1]);
        return;
    }
    const auto chosen = choose(lines, taken, to_words(inputs[0]), attributes,
                               GreaterWord{is_signed(inputs[0].element_type())});
    from_words(chosen.values, outputs[0]);
    from_words(chosen.places, outputs[1]);
}

}  // namespace rondo::reference
