// Evaluates Convert.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::reference {
namespace {

// Towards zero; what doesn't fit gives the nearest number that does, NaN gives 0.
template <typename T>
T cut(double value) {
    // The highest double may be one past T's highest number: >= is right for both.
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
        return std::numeric_limits<T>::max();
    }
    if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
        return std::numeric_limits<T>::min();
    }
    return std::isnan(value) ? T{0} : static_cast<T>(value);
}

void to_integers(const std::vector<double>& values, Tensor& output) {
    visit_integer(output.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        std::transform(values.begin(), values.end(), output.data<T>(), cut<T>);
    });
}

template <typename T>
T word_to(std::uint64_t word, bool is_signed) {
    return is_signed ? static_cast<T>(static_cast<std::int64_t>(word)) : static_cast<T>(word);
}

void to_floats(const std::vector<std::uint64_t>& words, bool is_signed, Tensor& output) {
    if (output.element_type() == ElementType::f32) {  // one rounding, not two through double
        std::transform(words.begin(), words.end(), output.data<float>(),
                       [&](std::uint64_t word) { return word_to<float>(word, is_signed); });
        return;
    }
    std::vector<double> values;
    for (const std::uint64_t word : words) values.push_back(word_to<double>(word, is_signed));
    from_doubles(values, output);
}

void convert_floats(const Tensor& data, Tensor& output) {
    const auto values = to_doubles(data);
    if (is_floating(output.element_type())) {
        from_doubles(values, output);
    } else if (output.element_type() == ElementType::boolean) {
        to_booleans(values, output);
    } else {
        to_integers(values, output);
    }
}

void convert_integers(const Tensor& data, Tensor& output) {
    const auto words = to_words_or_bits(data);
    if (is_floating(output.element_type())) {
        to_floats(words, is_signed(data.element_type()), output);
    } else if (output.element_type() == ElementType::boolean) {
        to_booleans(words, output);
    } else {
        from_words(words, output);
    }
}

template <typename T>
Tensor widened_to(ElementType type, const Tensor& data) {
    Tensor wide(type, data.shape());
    const NarrowNumbers& numbers = narrow_numbers(data.element_type());
    const auto* codes = static_cast<const std::uint8_t*>(data.data());
    std::transform(codes, codes + data.size(), wide.data<T>(),
                   [&](std::uint8_t code) { return static_cast<T>(numbers[code]); });
    return wide;
}

Tensor widened(const Tensor& data) {
    return is_narrow_integer(data.element_type()) ? widened_to<std::int8_t>(ElementType::i8, data)
                                                  : widened_to<float>(ElementType::f32, data);
}

void to_narrow(const Tensor& data, NarrowRounding rounding, Tensor& output) {
    const ElementType type = output.element_type();
    auto* codes = static_cast<std::uint8_t*>(output.data());
    if (is_floating(data.element_type())) {
        const auto numbers = to_doubles(data);
        std::transform(numbers.begin(), numbers.end(), codes,
                       [&](double value) { return narrow_code(type, value, rounding); });
        return;
    }
    const auto words = to_words_or_bits(data);
    const bool has_sign = is_signed(data.element_type());
    std::transform(words.begin(), words.end(), codes,
                   [&](std::uint64_t word) { return narrow_code(type, word, has_sign, rounding); });
}

}  // namespace

void convert(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const ElementType from = inputs[0].element_type();
    if (from == outputs[0].element_type() && from != ElementType::boolean) {
        inputs[0].copy_to(outputs[0]);  // to the bit, NaNs too
    } else if (is_narrow(from)) {
        const Tensor wide = widened(inputs[0]);
        convert(node, std::span<const Tensor>(&wide, 1), outputs);
    } else if (is_narrow(outputs[0].element_type())) {
        to_narrow(inputs[0], dynamic_cast<const ops::Convert&>(node).rounding(), outputs[0]);
    } else if (is_floating(from)) {
        convert_floats(inputs[0], outputs[0]);
    } else {
        convert_integers(inputs[0], outputs[0]);
    }
}

}  // namespace rondo::reference
