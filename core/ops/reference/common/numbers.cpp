#include "core/ops/reference/common/numbers.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/support/errors.hpp"
#include "core/support/rounding.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::reference {
namespace {

template <typename T>
void widen(const Tensor& tensor, std::vector<double>& values) {
    const T* data = tensor.data<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if constexpr (sizeof(T) == 2) {
            values[i] = static_cast<float>(data[i]);
        } else {
            values[i] = data[i];
        }
    }
}

template <typename T>
void narrow(std::span<const double> values, Tensor& tensor) {
    std::transform(values.begin(), values.end(), tensor.data<T>(), [](double value) {
        if constexpr (sizeof(T) == 2) {
            return T(sticky_float(value));
        } else {
            return static_cast<T>(value);
        }
    });
}

}  // namespace

std::vector<double> to_doubles(const Tensor& tensor) {
    internal_check(is_floating(tensor.element_type()),
                   "a tensor is read as doubles, but isn't floating");
    std::vector<double> values(tensor.size());
    visit_floating(tensor.element_type(),
                   [&](auto tag) { widen<tag_type<decltype(tag)>>(tensor, values); });
    return values;
}

void from_doubles(std::span<const double> values, Tensor& tensor) {
    internal_check(values.size() == tensor.size(), "values and tensor differ in size");
    internal_check(is_floating(tensor.element_type()),
                   "doubles are written to a tensor that isn't floating");
    visit_floating(tensor.element_type(),
                   [&](auto tag) { narrow<tag_type<decltype(tag)>>(values, tensor); });
}

std::vector<std::uint64_t> to_words(const Tensor& tensor) {
    internal_check(is_integral(tensor.element_type()),
                   "a tensor that isn't one of integers is read as one");
    const auto values = to_int64_vector(tensor);
    return {values.begin(), values.end()};
}

void from_words(std::span<const std::uint64_t> words, Tensor& tensor) {
    internal_check(words.size() == tensor.size(), "words and tensor differ in size");
    visit_integer(tensor.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        std::transform(words.begin(), words.end(), tensor.data<T>(),
                       [](std::uint64_t word) { return static_cast<T>(word); });
    });
}

bool is_signed(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::i16 ||
           type == ElementType::i8;
}

std::vector<std::uint64_t> to_words_or_bits(const Tensor& tensor) {
    if (tensor.element_type() != ElementType::boolean) return to_words(tensor);
    const auto* bytes = static_cast<const std::uint8_t*>(tensor.data());
    std::vector<std::uint64_t> words(tensor.size());
    std::transform(bytes, bytes + words.size(), words.begin(),
                   [](std::uint8_t byte) { return byte != 0 ? 1u : 0u; });
    return words;
}

std::vector<double> to_numbers(const Tensor& tensor) {
    if (is_floating(tensor.element_type())) return to_doubles(tensor);
    std::vector<double> values(tensor.size());
    visit_integer(tensor.element_type(), [&](auto tag) {
        const auto* from = tensor.data<tag_type<decltype(tag)>>();
        std::transform(from, from + values.size(), values.begin(),
                       [](auto element) { return static_cast<double>(element); });
    });
    return values;
}

void from_numbers(std::span<const double> values, Tensor& tensor) {
    if (is_floating(tensor.element_type())) return from_doubles(values, tensor);
    internal_check(values.size() == tensor.size(), "values and tensor differ in size");
    visit_integer(tensor.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        std::transform(values.begin(), values.end(), tensor.data<T>(), saturated<T>);
    });
}

}  // namespace rondo::reference
