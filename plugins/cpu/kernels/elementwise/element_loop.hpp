// The form of all plain elementwise loops: K operands of any type, each walked or repeated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rondo::cpu {

/// `n` elements; a step of 0 repeats one element, 1 walks on, others skip. `to` is walked.
template <std::size_t K>
struct ElementRun {
    std::array<const void*, K> from{};
    std::array<std::int64_t, K> steps{};  ///< in elements
    void* to = nullptr;
    std::int64_t n = 0;
};

/// Returns false where the function has no value, as of a division by zero; `to` is then undefined.
template <std::size_t K>
using ElementLoop = bool (*)(const ElementRun<K>& run);

}  // namespace rondo::cpu
