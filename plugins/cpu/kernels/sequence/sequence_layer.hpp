// One direction of a recurrent layer: its kernels, and where its packed weights lie.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/sequence/sequence_args.hpp"

namespace rondo::cpu {

/// The blocks of constant weights that aren't zeros, where skipping the others pays for a row.
struct SparseLayer {
    std::optional<SparsePanels> projection, recurrent, candidate;

    /// The part of the weights that such a row multiplies.
    std::string text() const;
};

/// Kernels of direction `index` of D.
struct SequenceLayer {
    int index = 0;
    bool reverse = false;
    Isa isa = Isa::plain;
    const char* kernel_name = "";
    std::shared_ptr<const CellKernel> cell;
    const GemmKernel* gemm = nullptr;
    RowConverter rows;  ///< between the tensors of a call and what the kernels compute in
    std::shared_ptr<const SparseLayer> sparse;  ///< see find_sparse(); may be null
};

/// Views of one direction's packed weights.
struct PackedLayer {
    PackedView projection;  ///< W and B; columns [block][gate][lane], as the cell reads them
    PackedCell cell;
};

/// `gemm` must outlive the layer.
SequenceLayer make_sequence_layer(const SequenceConfig& config, int index, Isa isa,
                                  const GemmKernel& gemm);

/// Whether steps of a single row can look ahead.
bool can_look_ahead(const SequenceLayer& layer);

/// Whether a step of so many rows can take a fused input.
bool can_fuse_input(const SequenceLayer& layer, std::int64_t rows);

/// Bytes of the packed weights; a multiple of a cache line.
std::size_t packed_layer_bytes(const SequenceLayer& layer);

/// Packs some blocks of this direction, out of the weights of all, into `memory`; on any thread.
void pack_layer(const SequenceLayer& layer, const SequenceWeights& weights, void* memory,
                Range blocks);

/// Looks for blocks of zeros in what pack_layer() has written, for packed_layer_at() to name.
void find_sparse(SequenceLayer& layer, const void* memory);

/// Where pack_layer() puts them.
PackedLayer packed_layer_at(const SequenceLayer& layer, const void* memory);

}  // namespace rondo::cpu
