// How stacked layers run sequences of one size: strategy, tasks and scratch memory, decided once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/choice/stacked_strategy.hpp"
#include "plugins/cpu/kernels/sequence/sequence_plan.hpp"

namespace rondo::cpu {

inline constexpr std::size_t kMaxStackedLayers = 8;

/// What one layer of a stack does, and where its parts of the scratch memory lie.
struct StackedLayerPlan {
    SequencePlan alone;      ///< one_by_one: as a layer of its own
    TaskPlan task;           ///< otherwise: its task, or that of each slice of rows
    std::size_t output = 0;  ///< offset of its Y, where only the layer above wants that
    std::size_t memory = 0;  ///< offset of its scratch; of the first slice's
};

/// Made by StackedSequence::prepare(), for its run() on calls of these sizes.
struct StackedPlan {
    StackedChoice choice;
    std::int64_t batch = 0;  ///< N
    std::int64_t time = 0;   ///< T
    /// Bottom first. Slices of rows run their layers one after the other, in the same memory.
    std::array<StackedLayerPlan, kMaxStackedLayers> layers;
    std::int64_t tile = 1;        ///< wavefront: steps of an item
    std::int64_t ahead = 0;       ///< wavefront: items that a layer reads ahead of its own
    std::size_t barrier = 0;      ///< wavefront: offset of its own memory
    std::size_t slice_bytes = 0;  ///< batch_split: memory of a slice
    std::size_t scratch_bytes = 0;

    bool splits() const { return choice.strategy != StackedStrategy::serial; }
};

}  // namespace rondo::cpu
