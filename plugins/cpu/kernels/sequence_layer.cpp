#include "plugins/cpu/kernels/sequence_layer.hpp"

#include <algorithm>
#include <vector>

#include "plugins/cpu/kernels/kernel_list.hpp"

namespace rondo::cpu {
namespace {

// Rows of W [G*H,I] and values of B in the order [block][gate][lane], padded with zeros, so that
// the product of the input lies as the cell's accumulators do.
PackedMatrix pack_projection(const CellShape& shape, std::int64_t input, const GemmKernel& gemm,
                             const float* w, const float* b) {
    std::vector<float> rows(static_cast<std::size_t>(shape.projected * input));
    std::vector<float> bias(static_cast<std::size_t>(shape.projected));
    for (std::int64_t unit = 0; unit < shape.hidden; ++unit) {
        for (std::int64_t gate = 0; gate < shape.gates; ++gate) {
            const std::int64_t from = gate * shape.hidden + unit;
            const std::int64_t to =
                (unit / shape.lanes * shape.gates + gate) * shape.lanes + unit % shape.lanes;
            std::copy_n(w + from * input, input, rows.data() + to * input);
            if (b != nullptr) bias[static_cast<std::size_t>(to)] = b[from];
        }
    }
    return gemm.pack(transposed(rows.data(), input, shape.projected), bias.data());
}

const float* offset(const float* base, std::int64_t count) {
    return base == nullptr ? nullptr : base + count;
}

}  // namespace

SequenceLayer make_sequence_layer(const SequenceConfig& config, int index, Isa isa,
                                  const SequenceWeights& weights, const GemmKernel& gemm) {
    const CellConfig& cell = config.cells[static_cast<std::size_t>(index)];
    const CellKernelEntry& entry = choose_cell_kernel(cell, isa);
    SequenceLayer layer;
    layer.index = index;
    layer.reverse = config.direction == SequenceDirection::reverse || index == 1;
    layer.kernel_name = entry.name;
    layer.cell = entry.make(cell);
    layer.gemm = &gemm;
    const CellShape& shape = layer.cell->shape();
    const std::int64_t rows = shape.gates * shape.hidden;
    const float* w = weights.w + index * rows * cell.input_size;
    const float* r = weights.r + index * rows * shape.hidden;
    const float* b = offset(weights.b, index * biases_of(cell.kind) * shape.hidden);
    layer.projection = pack_projection(shape, cell.input_size, gemm, w, b);
    layer.weights = pack_cell(cell, shape.lanes, r, b, offset(weights.p, index * 3 * shape.hidden));
    return layer;
}

}  // namespace rondo::cpu
