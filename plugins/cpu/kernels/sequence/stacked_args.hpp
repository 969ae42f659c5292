// One call of stacked recurrent layers, in plain structs.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

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

}  // namespace rondo::cpu
