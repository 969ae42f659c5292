// Recurrent layers that feed each other, run together: packs their weights once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plugins/cpu/kernels/choice/stacked_plan.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

namespace rondo::cpu {

/// One of the layers: a single direction; its input size is the hidden size of the layer below.
struct StackedLayer {
    SequenceConfig config;
    SequenceWeights weights;  ///< read while packing only
};

/// Where one layer's tensors lie, all dense.
struct StackedLayerArgs {
    const void* h0 = nullptr;  ///< [N,1,H]; null = zeros
    const void* c0 = nullptr;  ///< LSTM only; null = zeros
    void* y = nullptr;         ///< Y: [N,1,T,H]; null = nobody but the layer above wants it
    void* ho = nullptr;        ///< [N,1,H]; null = not wanted
    void* co = nullptr;        ///< LSTM only; null = not wanted
};

/// One call. Outputs may not overlap inputs, but ho may be h0 and co may be c0.
struct StackedArgs {
    std::int64_t batch = 0;                    ///< N, may be 0
    std::int64_t time = 0;                     ///< T, may be 0
    const void* x = nullptr;                   ///< X of the lowest layer: [N,T,I]
    const std::int64_t* lengths = nullptr;     ///< [N], of all layers; checked; null = all T
    std::span<const StackedLayerArgs> layers;  ///< bottom first
};

/// Immutable after construction; run() may be called from many threads, each with its own scratch.
/// The bits are those of the layers run one after the other as RecurrentSequences.
class StackedSequence {
public:
    static constexpr std::size_t kMostLayers = 8;

    /// `layers`: 2 to kMostLayers, bottom first. Throws ModelError where a layer contradicts
    /// itself, or the layers each other: in direction, type of the data or sizes.
    StackedSequence(std::span<const StackedLayer> layers, Isa isa);
    ~StackedSequence();
    StackedSequence(StackedSequence&&) noexcept;
    StackedSequence& operator=(StackedSequence&&) noexcept;

    /// What is best for these sizes and this team; `shape.directions` is 1.
    StackedPlan plan(const LayerShape& shape) const;

    /// Bytes of scratch that run() needs for this plan and Team::size() == threads.
    std::size_t scratch_bytes(const StackedPlan& plan, const StackedArgs& sizes, int threads) const;

    /// `scratch`: scratch_bytes(...) bytes on a 64-byte boundary. Allocates nothing, locks nothing.
    void run(const StackedPlan& plan, const StackedArgs& args, Team& team, void* scratch) const;

    std::size_t size() const;
    const RecurrentSequence& layer(std::size_t index) const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rondo::cpu
