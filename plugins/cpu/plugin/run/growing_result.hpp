// A result of a body whose shape each run finds, in memory that grows geometrically.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/runtime/roomy_tensor.hpp"
#include "plugins/cpu/plugin/run/memory_ranges.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// Several tensors take turns, since the last one may be an input of the next run.
class GrowingResult {
public:
    /// A tensor of this type and shape that shares no memory with the inputs.
    const Tensor& take(std::span<const Tensor> inputs, ElementType type, const Shape& shape) {
        const auto is_free = [&](const RoomyTensor& turn) {
            if (!turn.get()) return true;
            const MemoryRange range = range_of(turn.get());
            return std::none_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
                return overlap(range_of(input), range);
            });
        };
        const auto turn = std::find_if(turns_.begin(), turns_.end(), is_free);
        RoomyTensor& taken = turn == turns_.end() ? turns_.emplace_back() : *turn;
        return taken.reshape(type, shape);
    }

    /// Bytes of the tensors as they are now.
    std::size_t bytes() const {
        std::size_t bytes = 0;
        for (const RoomyTensor& turn : turns_) bytes += turn.get() ? turn.get().byte_size() : 0;
        return bytes;
    }
    void clear() { turns_.clear(); }

private:
    std::vector<RoomyTensor> turns_;
};

}  // namespace rondo::cpu
