// Conversions between all element types.
#include <cmath>
#include <limits>
#include <type_traits>

#include "plugins/cpu/kernels/elementwise/loop_types.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

// Towards zero; what doesn't fit gives the nearest number that does, NaN gives 0.
template <typename T>
T cut(double value) {
    constexpr auto kLeast = std::numeric_limits<T>::min();
    constexpr auto kGreatest = std::numeric_limits<T>::max();
    // As a double the greatest i64 or u64 is one too high: >= is right for all types.
    if (value >= static_cast<double>(kGreatest)) return kGreatest;
    if (value <= static_cast<double>(kLeast)) return kLeast;
    return std::isnan(value) ? T{0} : static_cast<T>(value);
}

template <typename From, typename To>
To converted(From element) {
    if constexpr (std::is_same_v<To, bool>) {
        return widened(element) != 0;
    } else if constexpr (is_float<From> && is_float<To>) {
        return rounded<To>(widened(element));
    } else if constexpr (is_float<From>) {
        return cut<To>(widened(element));
    } else if constexpr (is_16_bit_float<To>) {
        return rounded<To>(static_cast<double>(element));
    } else {
        return static_cast<To>(element);
    }
}

// `kIsBoolean`: From is the byte of a boolean, which may hold more than 0 and 1.
template <typename From, typename To, bool kIsBoolean>
bool convert_loop(const ElementRun<1>& run) {
    const auto* from = static_cast<const From*>(run.from[0]);
    auto* to = static_cast<To*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) {
        From element = from[i * run.steps[0]];
        if constexpr (kIsBoolean) element = element != 0 ? 1 : 0;
        to[i] = converted<From, To>(element);
    }
    return true;
}

template <typename From, bool kIsBoolean = false>
ElementLoop<1> loop_from(ElementType to) {
    return visit_type(to, [](auto tag) -> ElementLoop<1> {
        return convert_loop<From, tag_type<decltype(tag)>, kIsBoolean>;
    });
}

}  // namespace

ElementLoop<1> convert_loop(ElementType from, ElementType to) {
    if (from == ElementType::boolean) return loop_from<std::uint8_t, true>(to);
    return visit_type(from, [&](auto tag) -> ElementLoop<1> {
        using From = tag_type<decltype(tag)>;
        return loop_from<std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From>>(to);
    });
}

}  // namespace rondo::cpu
