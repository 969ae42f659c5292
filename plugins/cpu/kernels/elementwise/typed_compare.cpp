// Comparisons and functions of booleans.
#include <functional>

#include "core/support/check.hpp"
#include "plugins/cpu/kernels/elementwise/loop_rows.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

using ops::CompareFunction;
using ops::LogicalFunction;

// A boolean's byte in a caller's memory.
struct Flag {
    std::uint8_t byte;
};

template <typename T>
auto comparable(T element) {
    if constexpr (is_16_bit_float<T>) {
        return static_cast<float>(element);
    } else if constexpr (std::is_same_v<T, Flag>) {
        return element.byte != 0;
    } else {
        return element;
    }
}

template <typename F, typename T>
bool loop(const ElementRun<2>& run) {
    const auto* a = static_cast<const T*>(run.from[0]);
    const auto* b = static_cast<const T*>(run.from[1]);
    auto* to = static_cast<bool*>(run.to);
    for_each_pair(run, [&](std::int64_t i, std::int64_t x, std::int64_t y) {
        to[i] = F()(comparable(a[x]), comparable(b[y]));
    });
    return true;
}

template <typename F>
ElementLoop<2> loop_of(ElementType type) {
    if (type == ElementType::boolean) return loop<F, Flag>;
    return visit_type(type,
                      [](auto tag) -> ElementLoop<2> { return loop<F, tag_type<decltype(tag)>>; });
}

}  // namespace

ElementLoop<2> typed_compare_loop(CompareFunction function, ElementType type) {
    switch (function) {
        case CompareFunction::equal: return loop_of<std::equal_to<>>(type);
        case CompareFunction::greater: return loop_of<std::greater<>>(type);
        case CompareFunction::greater_equal: return loop_of<std::greater_equal<>>(type);
        case CompareFunction::less: return loop_of<std::less<>>(type);
        case CompareFunction::less_equal: return loop_of<std::less_equal<>>(type);
        case CompareFunction::not_equal: return loop_of<std::not_equal_to<>>(type);
    }
    return nullptr;
}

ElementLoop<2> logical_loop(LogicalFunction function) {
    switch (function) {
        case LogicalFunction::logical_and: return loop<std::logical_and<>, Flag>;
        case LogicalFunction::logical_or: return loop<std::logical_or<>, Flag>;
        case LogicalFunction::logical_xor: return loop<std::not_equal_to<>, Flag>;
    }
    return nullptr;
}

}  // namespace rondo::cpu
