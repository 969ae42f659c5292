// The elements of tensors as numbers, and back: doubles, 64-bit words, truth values.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The elements of a contiguous f64, f32, f16 or bf16 tensor.
std::vector<double> to_doubles(const Tensor& tensor);

/// Writes as many values as the tensor has elements, each rounded to nearest even in one step.
void from_doubles(std::span<const double> values, Tensor& tensor);

/// The elements of a contiguous integer tensor; negative ones in two's complement.
std::vector<std::uint64_t> to_words(const Tensor& tensor);

/// Writes as many words as the tensor has elements, each without the bits that don't fit.
void from_words(std::span<const std::uint64_t> words, Tensor& tensor);

/// True for i64, i32, i16 and i8: their words must be compared and divided as std::int64_t.
bool is_signed(ElementType type);

/// Orders of elements: NaN is greater than all numbers; words of signed types may be below 0.
inline bool is_greater_number(double a, double b) {
    return a > b || (std::isnan(a) && !std::isnan(b));
}
struct GreaterWord {
    bool is_signed;
    bool operator()(std::uint64_t a, std::uint64_t b) const {
        return is_signed ? static_cast<std::int64_t>(a) > static_cast<std::int64_t>(b) : a > b;
    }
};

/// The elements of a contiguous integer or boolean tensor as words; true is 1. A boolean's byte may
/// hold anything in a caller's memory: every byte that isn't 0 is true.
std::vector<std::uint64_t> to_words_or_bits(const Tensor& tensor);

/// Writes as many values as the tensor, a boolean one, has elements: all but 0 is true.
template <typename T>
void to_booleans(const std::vector<T>& values, Tensor& output) {
    bool* to = output.data<bool>();
    for (const T value : values) *to++ = value != T{0};
}

/// The elements of a contiguous tensor of a floating or an integer type.
std::vector<double> to_numbers(const Tensor& tensor);

/// Writes as many values as the tensor has elements: floating ones are rounded once, integers are
/// rounded to the nearest, halves to the even one, and bounded by their type.
void from_numbers(std::span<const double> values, Tensor& tensor);

/// Calls `compute(a, b, result)` on vectors of double, or of std::uint64_t for integers, and writes
/// `result` (zeros before) to the output, rounded once or cut to its width.
template <typename Compute>
void compute_numbers(const Tensor& a, const Tensor& b, Tensor& output, Compute&& compute) {
    if (is_floating(output.element_type())) {
        std::vector<double> result(output.size());
        compute(to_doubles(a), to_doubles(b), result);
        from_doubles(result, output);
    } else {
        std::vector<std::uint64_t> result(output.size());
        compute(to_words(a), to_words(b), result);
        from_words(result, output);
    }
}

}  // namespace rondo::reference
