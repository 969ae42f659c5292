// The memory of several tensors, and where it overlaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/graph/tensor_impl.hpp"
#include "core/runtime/growable_tensor.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

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

/// Several tensors take turns, since the last one may be an input of the next run.
class GrowingResult {
public:
    /// A tensor of this type and shape that shares no memory with the inputs.
    const Tensor& take(std::span<const Tensor> inputs, ElementType type, const Shape& shape) {
        const auto is_free = [&](const GrowableTensor& turn) {
            if (!turn.get()) return true;
            const MemoryRange range = range_of(turn.get());
            return std::none_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
                return overlap(range_of(input), range);
            });
        };
        const auto turn = std::find_if(turns_.begin(), turns_.end(), is_free);
        GrowableTensor& taken = turn == turns_.end() ? turns_.emplace_back() : *turn;
        return taken.reshape(type, shape);
    }

    /// Bytes of the tensors as they are now.
    std::size_t bytes() const {
        std::size_t bytes = 0;
        for (const GrowableTensor& turn : turns_) bytes += turn.get() ? turn.get().byte_size() : 0;
        return bytes;
    }
    void clear() { turns_.clear(); }

private:
    std::vector<GrowableTensor> turns_;
};

inline bool same_shape(const Shape& a, const Shape& b) {
    const std::size_t rank = a.size();
    if (b.size() != rank) return false;
    for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

}  // namespace rondo::cpu
