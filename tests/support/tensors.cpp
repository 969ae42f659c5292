#include "tests/support/tensors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "core/support/narrow_type.hpp"

namespace rondo::test {
namespace {

// Calls `f` with a value of the C++ type that holds `type`.
template <typename F>
decltype(auto) with_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::boolean: return f(bool{});
        case ElementType::f64: return f(double{});
        case ElementType::f32: return f(float{});
        case ElementType::f16: return f(float16{});
        case ElementType::bf16: return f(bfloat16{});
        case ElementType::i64: return f(std::int64_t{});
        case ElementType::i32: return f(std::int32_t{});
        case ElementType::i16: return f(std::int16_t{});
        case ElementType::i8: return f(std::int8_t{});
        case ElementType::u64: return f(std::uint64_t{});
        case ElementType::u32: return f(std::uint32_t{});
        case ElementType::u16: return f(std::uint16_t{});
        case ElementType::u8: return f(std::uint8_t{});
        default: break;
    }
    throw ModelError("no C++ type holds elements of " + std::string(to_string(type)));
}

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename T>
T narrowed(long double value) {
    if constexpr (kIsHalf<T>) {
        return T(static_cast<float>(value));
    } else {
        return static_cast<T>(value);
    }
}

std::string index_text(const Shape& shape, std::size_t index) {
    Shape coordinates(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        coordinates[axis] = index % shape[axis];
        index /= shape[axis];
    }
    return to_string(coordinates);
}

// The distance of both: 0 if they match, infinity if no tolerance could accept it.
long double difference(long double actual, long double expected) {
    if (std::isnan(actual) && std::isnan(expected)) return 0;
    if (actual == expected) return 0;
    const long double distance = std::fabs(actual - expected);
    return std::isnan(distance) ? HUGE_VALL : distance;
}

std::string pair_text(const Tensor& actual, const Tensor& expected, std::size_t index) {
    std::ostringstream text;
    text.precision(10);
    text << index_text(actual.shape(), index) << ": got " << element_at(actual, index)
         << ", expected " << element_at(expected, index);
    return text.str();
}

struct Worst {
    long double error = 0;
    std::size_t index = 0;
};

std::string type_and_shape(const Tensor& tensor) {
    return std::string(to_string(tensor.element_type())) + to_string(tensor.shape());
}

// What is wrong with `actual`, or nothing.
std::optional<std::string> first_complaint(const Tensor& actual, const Tensor& expected,
                                           double absolute, double relative) {
    if (!actual || !expected) return "a tensor is an empty handle";
    if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) {
        return "got " + type_and_shape(actual) + ", expected " + type_and_shape(expected);
    }
    std::optional<std::size_t> first;
    std::size_t count = 0;
    Worst worst;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const long double wanted = element_at(expected, i);
        const long double error = difference(element_at(actual, i), wanted);
        if (error > worst.error) worst = {error, i};
        const long double slack = relative == 0 ? 0 : relative * std::fabs(wanted);
        // An infinite `expected` makes the tolerance infinite: only the same infinity matches.
        if (error == 0 || (error <= absolute + slack && !std::isinf(error))) continue;
        if (!first) first = i;
        ++count;
    }
    if (!first) return std::nullopt;
    std::ostringstream text;
    text << count << " of " << actual.size() << " elements differ; first at "
         << pair_text(actual, expected, *first) << "; largest error " << worst.error << " at "
         << pair_text(actual, expected, worst.index) << "; allowed " << absolute << " + "
         << relative << " * |expected|";
    return text.str();
}

}  // namespace

Tensor random_tensor(ElementType type, const Shape& shape, Rng& rng, double lo, double hi) {
    Tensor tensor(type, shape);
    if (is_narrow(type)) {
        const int codes = 1 << narrow_bits(type);
        std::generate_n(static_cast<std::uint8_t*>(tensor.data()), tensor.size(), [&] {
            return static_cast<std::uint8_t>(uniform_int(rng, 0, codes - 1));
        });
        return tensor;
    }
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        std::generate_n(tensor.data<T>(), tensor.size(), [&]() -> T {
            if constexpr (std::is_same_v<T, bool>) {
                return (rng() & 1u) != 0;
            } else if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(
                    uniform_int(rng, static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi)));
            } else {
                return narrowed<T>(uniform(rng, lo, hi));
            }
        });
    });
    return tensor;
}

long double element_at(const Tensor& tensor, std::size_t index) {
    const Tensor dense = tensor.contiguous();
    if (is_narrow(tensor.element_type())) {
        const auto* codes = static_cast<const std::uint8_t*>(std::as_const(dense).data());
        return static_cast<long double>(narrow_numbers(tensor.element_type())[codes[index]]);
    }
    return with_type(tensor.element_type(), [&](auto zero) -> long double {
        using T = decltype(zero);
        const T value = dense.data<T>()[index];
        if constexpr (kIsHalf<T>) {
            return static_cast<float>(value);
        } else {
            return value;
        }
    });
}

Tensor converted(const Tensor& tensor, ElementType type) {
    Tensor result(type, tensor.shape());
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t i = 0; i < tensor.size(); ++i) {
            result.data<T>()[i] = narrowed<T>(element_at(tensor, i));
        }
    });
    return result;
}

void expect_near(const Tensor& actual, const Tensor& expected, double absolute, double relative,
                 SourceLocation where) {
    const auto complaint =
        first_complaint(actual ? actual.contiguous() : actual,
                        expected ? expected.contiguous() : expected, absolute, relative);
    if (complaint) {
        ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << *complaint;
    }
}

void expect_same(const Tensor& actual, const Tensor& expected, SourceLocation where) {
    if (first_complaint(actual, expected, 0, 0)) {
        expect_near(actual, expected, 0, 0, where);
        return;
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const long double got = element_at(actual, i);
        if (std::isnan(got) || std::signbit(got) == std::signbit(element_at(expected, i))) continue;
        ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
            << "the zeros' signs differ at " << pair_text(actual, expected, i);
        return;
    }
}

}  // namespace rondo::test
