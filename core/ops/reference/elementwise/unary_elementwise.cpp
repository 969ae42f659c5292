#include "core/ops/elementwise/unary_elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/evaluators.hpp"

namespace rondo::reference {
namespace {

template <typename F>
void elementwise(const Tensor& x, Tensor& y, F f) {
    auto values = to_doubles(x);
    std::transform(values.begin(), values.end(), values.begin(), f);
    from_doubles(values, y);
}

void integer_relu(const Tensor& x, Tensor& y) {
    auto words = to_words(x);
    if (is_signed(x.element_type())) {
        for (auto& word : words) word = static_cast<std::int64_t>(word) < 0 ? 0 : word;
    }
    from_words(words, y);
}

}  // namespace

void sqrt(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs[0], outputs[0], [](double x) { return std::sqrt(x); });
}

void sigmoid(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs[0], outputs[0], [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
}

void tanh(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs[0], outputs[0], [](double x) { return std::tanh(x); });
}

void relu(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (!is_floating(inputs[0].element_type())) return integer_relu(inputs[0], outputs[0]);
    elementwise(inputs[0], outputs[0], [](double x) { return x > 0 || std::isnan(x) ? x : 0.0; });
}

}  // namespace rondo::reference
