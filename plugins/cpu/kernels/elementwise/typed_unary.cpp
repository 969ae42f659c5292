// Functions of one element.
#include <iterator>

#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/formulas.hpp"
#include "plugins/cpu/kernels/elementwise/loop_types.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

using ops::UnaryFunction;

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

}  // namespace rondo::cpu
