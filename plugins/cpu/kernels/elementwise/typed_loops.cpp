#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::LogicalFunction;
using ops::UnaryFunction;

template <ops::TypeRule rule, typename T>
constexpr bool takes_type() {
    switch (rule) {
        case ops::TypeRule::floating: return is_float<T>;
        case ops::TypeRule::integer: return !is_float<T> && !std::is_same_v<T, Flag>;
        case ops::TypeRule::number: return !std::is_same_v<T, Flag>;
        case ops::TypeRule::boolean: return std::is_same_v<T, Flag>;
        case ops::TypeRule::any: return true;
    }
}

// loop(TypeTag<T>()), where T is the type of the elements, or null where the rule doesn't take it.
template <std::size_t K, ops::TypeRule rule, typename Loop>
ElementLoop<K> loop_of_type(ElementType type, Loop loop) {
    return visit_type(type, [&](auto tag) -> ElementLoop<K> {
        using Element = tag_type<decltype(tag)>;
        using T = std::conditional_t<std::is_same_v<Element, bool>, Flag, Element>;
        if constexpr (takes_type<rule, T>()) return loop(TypeTag<T>());
        return nullptr;
    });
}

// Calls body(i, a, b) with the places of both operands. The usual steps get loops of their own,
// which the compiler can vectorise.
template <typename Body>
void for_each_pair(const ElementRun<2>& run, Body body) {
    const std::int64_t n = run.n;
    if (run.steps[0] == 1 && run.steps[1] == 1) {
        for (std::int64_t i = 0; i < n; ++i) body(i, i, i);
    } else if (run.steps[0] == 1 && run.steps[1] == 0) {
        for (std::int64_t i = 0; i < n; ++i) body(i, i, 0);
    } else if (run.steps[0] == 0 && run.steps[1] == 1) {
        for (std::int64_t i = 0; i < n; ++i) body(i, 0, i);
    } else {
        for (std::int64_t i = 0; i < n; ++i) body(i, i * run.steps[0], i * run.steps[1]);
    }
}

}  // namespace

// Functions of one element.

namespace {

template <UnaryFunction function, typename T>
bool unary_loop(const ElementRun<1>& run) {
    const auto* from = static_cast<const T*>(run.from[0]);
    auto* to = static_cast<T*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) {
        to[i] = stored<T>(ops::value_of<function>(loaded(from[i * run.steps[0]])));
    }
    return true;
}

}  // namespace

ElementLoop<1> typed_unary_loop(UnaryFunction function, ElementType type) {
    return ops::visit_function<std::size(ops::kUnaryOps)>(function, [&](auto known) {
        constexpr UnaryFunction kFunction = known();
        constexpr ops::TypeRule kTypes = ops::kUnaryOps[static_cast<int>(kFunction)].types;
        return loop_of_type<1, kTypes>(
            type, [](auto tag) { return unary_loop<kFunction, tag_type<decltype(tag)>>; });
    });
}

// Arithmetic of two elements.

namespace {

template <BinaryFunction function, Division division, typename T>
bool binary_loop(const ElementRun<2>& run) {
    const auto* a = static_cast<const T*>(run.from[0]);
    const auto* b = static_cast<const T*>(run.from[1]);
    auto* to = static_cast<T*>(run.to);
    bool has_value = true;
    for_each_pair(run, [&](std::int64_t i, std::int64_t x, std::int64_t y) {
        if constexpr (std::is_integral_v<T>) {
            to[i] = ops::value_of<function, division>(a[x], b[y], has_value);
        } else {
            to[i] = rounded<T>(ops::value_of<function>(widened(a[x]), widened(b[y])));
        }
    });
    return has_value;
}

template <BinaryFunction function, Division division>
ElementLoop<2> loop_of(ElementType type) {
    constexpr ops::TypeRule kTypes = ops::kBinaryOps[static_cast<int>(function)].types;
    return loop_of_type<2, kTypes>(
        type, [](auto tag) { return binary_loop<function, division, tag_type<decltype(tag)>>; });
}

}  // namespace

ElementLoop<2> typed_binary_loop(BinaryFunction function, ElementType type, bool rounds_down) {
    if (function == BinaryFunction::divide && !rounds_down) {
        return loop_of<BinaryFunction::divide, Division::towards_zero>(type);
    }
    return ops::visit_function<std::size(ops::kBinaryOps)>(
        function, [&](auto known) { return loop_of<known(), Division::down>(type); });
}

// Comparisons and functions of booleans.

namespace {

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

template <auto function, typename T>
bool compare_loop(const ElementRun<2>& run) {
    const auto* a = static_cast<const T*>(run.from[0]);
    const auto* b = static_cast<const T*>(run.from[1]);
    auto* to = static_cast<bool*>(run.to);
    for_each_pair(run, [&](std::int64_t i, std::int64_t x, std::int64_t y) {
        to[i] = ops::holds<function>(comparable(a[x]), comparable(b[y]));
    });
    return true;
}

}  // namespace

ElementLoop<2> typed_compare_loop(CompareFunction function, ElementType type) {
    return ops::visit_function<std::size(ops::kCompareOps)>(function, [&](auto known) {
        return loop_of_type<2, ops::TypeRule::any>(
            type, [known](auto tag) { return compare_loop<known(), tag_type<decltype(tag)>>; });
    });
}

ElementLoop<2> logical_loop(LogicalFunction function) {
    return ops::visit_function<std::size(ops::kLogicalOps)>(
        function, [](auto known) -> ElementLoop<2> { return compare_loop<known(), Flag>; });
}

// Conversions between all element types.

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
