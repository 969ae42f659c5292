// Comparisons and functions of booleans.
#include <iterator>

#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "plugins/cpu/kernels/elementwise/loop_types.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

using ops::CompareFunction;
using ops::LogicalFunction;

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

}  // namespace rondo::cpu
