// Select: moves elements of any type, by their size.
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

namespace rondo::cpu {
namespace {

template <typename T>
bool select_loop(const ElementRun<3>& run) {
    const auto* condition = static_cast<const std::uint8_t*>(run.from[0]);
    const auto* yes = static_cast<const T*>(run.from[1]);
    const auto* no = static_cast<const T*>(run.from[2]);
    auto* to = static_cast<T*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) {
        to[i] = condition[i * run.steps[0]] != 0 ? yes[i * run.steps[1]] : no[i * run.steps[2]];
    }
    return true;
}

}  // namespace

ElementLoop<3> select_loop(std::size_t bytes) {
    switch (bytes) {
        case 1: return select_loop<std::uint8_t>;
        case 2: return select_loop<std::uint16_t>;
        case 4: return select_loop<std::uint32_t>;
        case 8: return select_loop<std::uint64_t>;
        default: break;
    }
    internal_error("elements of that size can't be selected");
}

}  // namespace rondo::cpu
