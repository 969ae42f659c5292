// One layer of a stack: its kernels and packed weights.
#pragma once

#include <memory>
#include <span>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"

namespace rondo::cpu {

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

}  // namespace rondo::cpu
