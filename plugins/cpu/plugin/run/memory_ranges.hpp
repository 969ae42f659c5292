// The memory of several tensors, and where it overlaps.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/graph/tensor_impl.hpp"

namespace rondo::cpu {

/// Memory of a tensor.
struct MemoryRange {
    const char* begin = nullptr;
    const char* end = nullptr;
};

/// `tensor` must be contiguous.
inline MemoryRange range_of(const Tensor& tensor) {
    const auto& impl = Tensor::Impl::of(tensor);
    const auto* begin = static_cast<const char*>(impl.data);
    return {begin, begin + impl.bytes};
}

/// Tensors without elements share no memory with others.
inline bool overlap(const MemoryRange& a, const MemoryRange& b) {
    const std::less<const char*> before;
    return before(a.begin, b.end) && before(b.begin, a.end) && a.begin != a.end && b.begin != b.end;
}

/// Sorted, so that n tensors are compared with m others in (n + m) log n steps. Allocates only
/// where it gets more tensors than before.
class MemoryRanges {
public:
    /// Those of the tensors that are there and have elements.
    void assign(std::span<const Tensor> tensors);

    bool any_overlaps(const MemoryRange& range) const;
    /// The places of two tensors that share memory, the smaller one first, or nothing.
    std::optional<std::pair<std::size_t, std::size_t>> shared() const;

private:
    struct Entry {
        MemoryRange range;
        const char* furthest = nullptr;  // end of this one and those before it
        std::size_t index = 0;
    };
    std::vector<Entry> entries_;  // by their begin
};

}  // namespace rondo::cpu
