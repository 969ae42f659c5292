#include "core/ops/source/range_numbers.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/support/limits.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr RangeLength kTooLong{0, "the range has too many elements"};
constexpr RangeLength kNoStep{0, "step is 0; expected another number"};
constexpr RangeLength kNotFinite{0, "start, stop and step must be finite and below 2^63"};

template <typename T>
RangeNumber number_of(T value) {
    if constexpr (std::is_integral_v<T>) {
        if (!std::in_range<std::int64_t>(value)) return {false, 0, kInfinity};
        return {true, static_cast<std::int64_t>(value), static_cast<double>(value)};
    } else if constexpr (sizeof(T) == 2) {
        return {false, 0, static_cast<double>(static_cast<float>(value))};
    } else {
        return {false, 0, static_cast<double>(value)};
    }
}

RangeLength whole_length(std::int64_t start, std::int64_t stop, std::int64_t step) {
    if (step == 0) return kNoStep;
    if (step > 0 ? stop <= start : stop >= start) return {};
    // Unsigned: the distance may be above 2^63, and the least step has no positive number.
    const auto from = static_cast<std::uint64_t>(step > 0 ? start : stop);
    const auto to = static_cast<std::uint64_t>(step > 0 ? stop : start);
    const auto bits = static_cast<std::uint64_t>(step);
    const std::uint64_t length = (to - from - 1) / (step > 0 ? bits : 0 - bits) + 1;
    if (length > kMaxElements) return kTooLong;
    return {static_cast<std::int64_t>(length), nullptr};
}

}  // namespace

RangeNumber range_number(ElementType type, const void* element) {
    return visit_type(type, [&](auto tag) -> RangeNumber {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_same_v<T, bool>) {
            internal_error("a range is made of booleans");
        } else {
            T value;
            std::memcpy(&value, element, sizeof(T));
            return number_of(value);
        }
    });
}

RangeLength range_length(const RangeNumbers& numbers) {
    const auto& [start, stop, step] = numbers;
    if (start.is_whole && stop.is_whole && step.is_whole) {
        return whole_length(start.whole, stop.whole, step.whole);
    }
    if (!std::isfinite(start.real) || !std::isfinite(stop.real) || !std::isfinite(step.real)) {
        return kNotFinite;
    }
    if (step.real == 0) return kNoStep;
    const double length = std::ceil((stop.real - start.real) / step.real);
    if (!(length <= static_cast<double>(kMaxElements))) return kTooLong;
    return {length > 0 ? static_cast<std::int64_t>(length) : 0, nullptr};
}

}  // namespace rondo::ops
