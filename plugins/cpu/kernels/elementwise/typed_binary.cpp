// Arithmetic of two elements.
#include <iterator>

#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "plugins/cpu/kernels/elementwise/loop_types.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

using ops::BinaryFunction;

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

}  // namespace rondo::cpu
