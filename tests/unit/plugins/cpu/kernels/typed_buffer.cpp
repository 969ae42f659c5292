#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace rondo::cpu::tests {
namespace {

template <typename T>
T encode(double value) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(std::nearbyint(value));
    } else if constexpr (sizeof(T) == 2) {
        return T(static_cast<float>(value));
    } else {
        return static_cast<T>(value);
    }
}

template <typename T>
double decode(T value) {
    if constexpr (sizeof(T) == 2) {
        return static_cast<float>(value);
    } else {
        return static_cast<double>(value);
    }
}

// Calls use(T{}) with the C++ type of `type`.
template <typename Use>
auto with_type(ElementType type, Use use) {
    switch (type) {
        case ElementType::f64: return use(double{});
        case ElementType::f16: return use(float16{});
        case ElementType::bf16: return use(bfloat16{});
        case ElementType::i8: return use(std::int8_t{});
        case ElementType::i16: return use(std::int16_t{});
        default: return use(float{});
    }
}

}  // namespace

double rounded(double value, ElementType type) {
    return with_type(type, [&](auto t) { return decode(encode<decltype(t)>(value)); });
}

void round_all(std::vector<double>& values, ElementType type) {
    for (double& value : values) value = rounded(value, type);
}

TypedBuffer::TypedBuffer(ElementType type, std::int64_t size)
    : type_(type),
      size_(static_cast<std::size_t>(size)),
      memory_(size_ * size_of(type) + 2 * kGuardBytes, kGuard) {}

TypedBuffer::TypedBuffer(ElementType type, const std::vector<double>& values)
    : TypedBuffer(type, static_cast<std::int64_t>(values.size())) {
    with_type(type, [&](auto t) {
        auto* to = static_cast<decltype(t)*>(data());
        std::transform(values.begin(), values.end(), to, encode<decltype(t)>);
    });
}

std::vector<double> TypedBuffer::values() const {
    std::vector<double> values(size_);
    with_type(type_, [&](auto t) {
        const auto* from = reinterpret_cast<const decltype(t)*>(memory_.data() + kGuardBytes);
        std::transform(from, from + size_, values.begin(), decode<decltype(t)>);
    });
    return values;
}

void TypedBuffer::check(const std::string& what) const {
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
        ASSERT_EQ(memory_[i], kGuard) << what << ": written before its start";
        ASSERT_EQ(memory_[memory_.size() - 1 - i], kGuard) << what << ": written past its end";
    }
}

}  // namespace rondo::cpu::tests
