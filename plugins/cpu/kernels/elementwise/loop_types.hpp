// What the files of typed loops share: the choice of a loop by its element type, and pairs of
// elements.
#pragma once

#include <type_traits>

#include "core/ops/common/families.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {

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

/// loop(TypeTag<T>()), where T is the type of the elements, or null where the rule doesn't take it.
template <std::size_t K, ops::TypeRule rule, typename Loop>
ElementLoop<K> loop_of_type(ElementType type, Loop loop) {
    return visit_type(type, [&](auto tag) -> ElementLoop<K> {
        using Element = tag_type<decltype(tag)>;
        using T = std::conditional_t<std::is_same_v<Element, bool>, Flag, Element>;
        if constexpr (takes_type<rule, T>()) return loop(TypeTag<T>());
        return nullptr;
    });
}

/// Calls body(i, a, b) with the places of both operands. The usual steps get loops of their own,
/// which the compiler can vectorise.
template <typename Body>
inline void for_each_pair(const ElementRun<2>& run, Body body) {
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

}  // namespace rondo::cpu
