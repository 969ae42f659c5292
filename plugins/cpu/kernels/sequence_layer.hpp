// One direction of a recurrent layer, packed and ready to run.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/cell_kernel.hpp"
#include "plugins/cpu/kernels/gemm.hpp"
#include "plugins/cpu/kernels/recurrent_sequence.hpp"

namespace rondo::cpu {

/// Weights and kernels of direction `index` of D.
struct SequenceLayer {
    int index = 0;
    bool reverse = false;
    const char* kernel_name = "";
    std::unique_ptr<CellKernel> cell;
    const GemmKernel* gemm = nullptr;
    PackedMatrix projection;  ///< W and B; columns [block][gate][lane], as the cell reads them
    PackedCell weights;
};

/// Packs direction `index`. `gemm` must outlive the layer.
SequenceLayer make_sequence_layer(const SequenceConfig& config, int index, Isa isa,
                                  const SequenceWeights& weights, const GemmKernel& gemm);

}  // namespace rondo::cpu
