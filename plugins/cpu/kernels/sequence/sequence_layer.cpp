#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/panel_pack.hpp"

namespace rondo::cpu {
namespace {

const CellConfig& config_of(const SequenceLayer& layer) { return layer.cell->config(); }

std::size_t projection_bytes(const SequenceLayer& layer) {
    return whole_lines(
        layer.gemm->packed_bytes(config_of(layer).input_size, layer.cell->shape().projected));
}

const void* offset(const void* base, std::int64_t elements, ElementType type) {
    const auto bytes = static_cast<std::int64_t>(size_of(type));
    return base == nullptr ? nullptr : static_cast<const char*>(base) + elements * bytes;
}

// Values of B: [G*H] in the order [block][gate][lane]; zeros where there is none.
void pack_bias(const SequenceLayer& layer, const void* b, Range blocks, char* out) {
    const CellShape& shape = layer.cell->shape();
    const std::int64_t block_bytes = shape.gates * shape.lanes * shape.scalar_bytes;
    out += blocks.begin * block_bytes;
    std::memset(out, 0, static_cast<std::size_t>((blocks.end - blocks.begin) * block_bytes));
    if (b == nullptr) return;
    for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
        const std::int64_t unit = block * shape.lanes;
        const std::int64_t units = std::min<std::int64_t>(shape.lanes, shape.hidden - unit);
        for (std::int64_t gate = 0; gate < shape.gates; ++gate) {
            layer.rows.load(layer.rows.at(b, gate * shape.hidden + unit), out, units);
            out += shape.lanes * shape.scalar_bytes;
        }
    }
}

// Rows of W: [G*H,I] in the same order, a panel for each gate of a block. `memory`: of `view`.
void pack_panels(const SequenceLayer& layer, const void* w, Range blocks, const PackedView& view,
                 char* memory) {
    const CellShape& shape = layer.cell->shape();
    const GemmKernel& gemm = *layer.gemm;
    const std::int64_t panel_bytes = gemm.padded_k(view.k) * shape.lanes * gemm.weight_bytes();
    const auto place = [&](const void* part) {
        return memory + (static_cast<const char*>(part) - static_cast<const char*>(view.bias));
    };
    for (std::int64_t panel = blocks.begin * shape.gates; panel < blocks.end * shape.gates;
         ++panel) {
        const std::int64_t unit = panel / shape.gates * shape.lanes, gate = panel % shape.gates;
        const std::int64_t units = std::min<std::int64_t>(shape.lanes, shape.hidden - unit);
        const void* rows = offset(w, (gate * shape.hidden + unit) * view.k, gemm.weights());
        const PanelTarget target{place(view.panels) + panel * panel_bytes, shape.lanes,
                                 shape.lanes};
        std::int32_t* sums = nullptr;
        if (view.sums != nullptr) {
            sums = reinterpret_cast<std::int32_t*>(place(view.sums)) +
                   panel * shape.lanes * gemm.format().weight_planes();
        }
        if (gemm.format().rounds_rows()) {
            std::memset(target.data, 0, static_cast<std::size_t>(panel_bytes));
        }
        pack_columns({rows, view.k, 1, units, view.k}, target, gemm.format(), gemm.together(),
                     sums);
    }
}

}  // namespace

std::string SparseLayer::text() const {
    std::string text;
    const auto add = [&](const char* name, const std::optional<SparsePanels>& panels) {
        if (!panels) return;
        const auto percent = static_cast<int>(std::lround(100 * panels->density()));
        text += (text.empty() ? "" : ", ") + std::to_string(percent) + " % of " + name;
    };
    add("W", projection);
    add("R", recurrent);
    add("R of the candidate", candidate);
    return "a row reads " + text;
}

SequenceLayer make_sequence_layer(const SequenceConfig& config, int index, Isa isa,
                                  const GemmKernel& gemm) {
    const CellConfig& cell = config.cells[static_cast<std::size_t>(index)];
    const CellKernelEntry& entry = choose_cell_kernel(cell, isa);
    const bool reverse = config.direction == Direction::reverse || index == 1;
    return {index,
            reverse,
            entry.isa,
            entry.name,
            shared_cell_kernel(entry, cell),
            &gemm,
            RowConverter(isa, config.data),
            nullptr};
}

bool can_look_ahead(const SequenceLayer& layer) {
    const bool skips = layer.sparse != nullptr && layer.sparse->recurrent;
    return layer.cell->can_look_ahead() && !layer.rows.converts() && !skips &&
           layer.gemm->weights() == ElementType::f32;
}

bool can_fuse_input(const SequenceLayer& layer, std::int64_t rows) {
    const SparseLayer* sparse = layer.sparse.get();
    const auto skips = [&](const std::optional<SparsePanels>& panels) {
        return panels && panels->pays(rows);
    };
    const bool is_sparse =
        sparse != nullptr &&
        (skips(sparse->projection) || skips(sparse->recurrent) || skips(sparse->candidate));
    return layer.cell->can_fuse_input() && layer.gemm->format() == config_of(layer).weights &&
           !is_sparse;
}

std::size_t packed_layer_bytes(const SequenceLayer& layer) {
    return projection_bytes(layer) +
           whole_lines(packed_cell_bytes(config_of(layer), layer.cell->shape()));
}

void pack_layer(const SequenceLayer& layer, const SequenceWeights& weights, void* memory,
                Range blocks) {
    const CellConfig& cell = config_of(layer);
    const CellShape& shape = layer.cell->shape();
    const std::int64_t rows = layer.index * shape.gates * shape.hidden;
    const ElementType data = layer.rows.type();
    const void* b = offset(weights.b, layer.index * biases_of(cell) * shape.hidden, data);
    auto* out = static_cast<char*>(memory);
    const PackedView view = layer.gemm->packed_at(cell.input_size, shape.projected, memory);
    pack_bias(layer, b, blocks, out);
    const auto scale = [&](const float* all) { return all == nullptr ? nullptr : all + rows; };
    if (view.scales != nullptr) {
        const auto place = reinterpret_cast<const char*>(view.scales) - out;
        pack_scales(shape, scale(weights.w_scale), blocks, reinterpret_cast<float*>(out + place));
    }
    pack_panels(layer, offset(weights.w, rows * cell.input_size, layer.gemm->weights()), blocks,
                view, out);
    const CellWeights recurrent{offset(weights.r, rows * shape.hidden, cell.weights.type), b,
                                offset(weights.p, layer.index * 3 * shape.hidden, data),
                                scale(weights.r_scale), data};
    pack_cell(cell, shape, recurrent, out + projection_bytes(layer), blocks);
}

void find_sparse(SequenceLayer& layer, const void* memory) {
    const CellConfig& cell = config_of(layer);
    const CellShape& shape = layer.cell->shape();
    const PackedLayer packed = packed_layer_at(layer, memory);
    const PackedView& w = packed.projection;
    SparseLayer sparse;
    sparse.projection =
        SparsePanels::find(layer.isa, layer.gemm->format(),
                           {w.panels, shape.blocks * shape.gates, w.k,
                            layer.gemm->padded_k(w.k) * shape.lanes * layer.gemm->weight_bytes(), 1,
                            kSparseSpan / shape.lanes * shape.gates},
                           shared_sparse_kernel);
    const auto find = [&](bool candidate) {
        return SparsePanels::find(layer.isa, cell.weights,
                                  dense_panels(cell, shape, packed.cell, candidate),
                                  shared_sparse_kernel);
    };
    sparse.recurrent = find(false);
    if (packed.cell.candidate != nullptr) sparse.candidate = find(true);
    if (!sparse.projection && !sparse.recurrent && !sparse.candidate) return;
    layer.sparse = std::make_shared<const SparseLayer>(std::move(sparse));
}

PackedLayer packed_layer_at(const SequenceLayer& layer, const void* memory) {
    const CellConfig& cell = config_of(layer);
    const CellShape& shape = layer.cell->shape();
    const void* recurrent = static_cast<const char*>(memory) + projection_bytes(layer);
    PackedLayer packed{layer.gemm->packed_at(cell.input_size, shape.projected, memory),
                       packed_cell_at(cell, shape, recurrent)};
    if (layer.sparse == nullptr) return packed;
    const auto pointer = [](const std::optional<SparsePanels>& panels) {
        return panels ? &*panels : nullptr;
    };
    packed.projection.sparse = pointer(layer.sparse->projection);
    packed.cell.sparse_recurrent = pointer(layer.sparse->recurrent);
    packed.cell.sparse_candidate = pointer(layer.sparse->candidate);
    return packed;
}

}  // namespace rondo::cpu
