// Runs stacked layers as their plan says, one function for each strategy; what a call, a layer and
// a plan of them hold.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"
#include "plugins/cpu/kernels/sequence/task_plan.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Where one layer's tensors lie, all dense. Y of the highest layer may be [T,N,H].
struct StackedLayerArgs {
    const void* h0 = nullptr;  ///< [N,1,H]; null = zeros
    const void* c0 = nullptr;  ///< LSTM only; null = zeros
    void* y = nullptr;         ///< Y: [N,1,T,H]; null = only the layer above wants it
    void* ho = nullptr;        ///< [N,1,H]; null = not wanted
    void* co = nullptr;        ///< LSTM only; null = not wanted
};

/// One call. Outputs may not overlap inputs, but ho may be h0 and co may be c0.
struct StackedArgs {
    std::int64_t batch = 0;                        ///< N, may be 0
    std::int64_t time = 0;                         ///< T, may be 0
    const void* x = nullptr;                       ///< X of the lowest layer: [N,T,I]
    const std::int64_t* lengths = nullptr;         ///< [N], of all layers; checked; null = all T
    std::span<const StackedLayerArgs> layers;      ///< bottom first
    const std::atomic<bool>* cancelled = nullptr;  ///< as in SequenceArgs
    bool x_time_first = false;                     ///< X is [T,N,I]
    bool y_time_first = false;                     ///< Y of the highest layer is [T,N,H]
};

// One layer of a stack: its kernels and packed weights.

/// What a stack is made of: a single direction; its input size is the hidden size of the layer
/// below.
struct StackedLayer {
    SequenceConfig config;
    SequenceWeights weights;  ///< read while packing only
};

/// Throws ModelError where a layer contradicts itself, or the layers each other: in direction, type
/// of the data or sizes. At least 2, at most kMaxStackedLayers of them.
void check_stack(std::span<const StackedLayer> layers);

/// A layer as a whole, for running layers one by one, and in parts, for tasks; both read the same
/// packed weights.
struct PackedStackedLayer {
    PackedStackedLayer(const StackedLayer& from, Isa isa);

    const CellConfig& cell() const { return sequence.config().cells[0]; }
    const CellShape& shape() const { return kernels.cell->shape(); }

    RecurrentSequence sequence;
    std::shared_ptr<const GemmKernel> gemm;
    SequenceLayer kernels;
    SharedBytes memory;
    PackedLayer packed;
};

// How stacked layers run sequences of one size: strategy, tasks and scratch memory, decided once.

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

/// One call, its layers and scratch memory.
struct StackRun {
    std::span<const PackedStackedLayer> layers;
    const StackedArgs& args;
    char* scratch;
};

void run_stack(const StackedPlan& plan, const StackRun& run, Team& team);

}  // namespace rondo::cpu
