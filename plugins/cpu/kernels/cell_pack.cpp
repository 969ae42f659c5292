#include "plugins/cpu/kernels/cell_kernel.hpp"

namespace rondo::cpu {
namespace {

// Gates [first, first + count) of r: [G*H,H] as panels [block][k][gate][lane].
AlignedBuffer pack_gates(const CellShape& shape, const float* r, int first, int count) {
    AlignedBuffer packed(static_cast<std::size_t>(shape.padded * shape.hidden * count));
    for (std::int64_t unit = 0; unit < shape.hidden; ++unit) {
        const std::int64_t block = unit / shape.lanes;
        for (int gate = 0; gate < count; ++gate) {
            const float* row = r + ((first + gate) * shape.hidden + unit) * shape.hidden;
            float* column = packed.data() + (block * shape.hidden * count + gate) * shape.lanes +
                            unit % shape.lanes;
            for (std::int64_t k = 0; k < shape.hidden; ++k) {
                column[k * count * shape.lanes] = row[k];
            }
        }
    }
    return packed;
}

// vectors: [count][H] as [block][vector][lane].
AlignedBuffer pack_vectors(const CellShape& shape, const float* vectors, int count) {
    AlignedBuffer packed(static_cast<std::size_t>(shape.padded * count));
    if (vectors == nullptr) return packed;
    for (int vector = 0; vector < count; ++vector) {
        for (std::int64_t unit = 0; unit < shape.hidden; ++unit) {
            const std::int64_t block = unit / shape.lanes;
            packed.data()[(block * count + vector) * shape.lanes + unit % shape.lanes] =
                vectors[vector * shape.hidden + unit];
        }
    }
    return packed;
}

}  // namespace

CellShape cell_shape(const CellConfig& config, int lanes) {
    CellShape shape;
    shape.hidden = config.hidden_size;
    shape.lanes = lanes;
    shape.gates = gates_of(config.kind);
    shape.blocks = (config.hidden_size + lanes - 1) / lanes;
    shape.padded = shape.blocks * lanes;
    shape.projected = shape.padded * shape.gates;
    return shape;
}

PackedCell pack_cell(const CellConfig& config, int lanes, const float* r, const float* rb,
                     const float* p) {
    const CellShape shape = cell_shape(config, lanes);
    PackedCell packed;
    const bool two_phases = config.kind == CellKind::gru;
    packed.recurrent = pack_gates(shape, r, 0, two_phases ? 2 : shape.gates);
    if (two_phases) packed.candidate = pack_gates(shape, r, 2, 1);
    if (config.peephole) packed.peephole = pack_vectors(shape, p, 3);
    if (config.kind == CellKind::gru_linear_before_reset) {
        packed.recurrent_bias =
            pack_vectors(shape, rb == nullptr ? nullptr : rb + 3 * shape.hidden, 1);
    }
    return packed;
}

}  // namespace rondo::cpu
