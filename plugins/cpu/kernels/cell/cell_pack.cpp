// Packs the weights of a cell into panels.
#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/product/panel_pack.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"

namespace rondo::cpu {
namespace {

constexpr int kPeepholes = 3;

bool has_two_phases(const CellConfig& config) { return config.kind == CellKind::gru; }

// Gates of the first phase.
int first_gates_of(const CellConfig& config) {
    return gates_of(config) - (has_two_phases(config) ? 1 : 0);
}

bool has_recurrent_bias(const CellConfig& config) {
    return config.kind == CellKind::gru_linear_before_reset;
}

// Bytes from the start of the packed weights.
struct Places {
    std::size_t candidate;
    std::size_t peephole;
    std::size_t recurrent_bias;
    std::size_t scales;
    std::size_t sums;
    std::size_t end;
};

Places places_of(const CellConfig& config, const CellShape& shape) {
    const auto gate = static_cast<std::size_t>(shape.padded * shape.k);
    const auto vector = static_cast<std::size_t>(shape.padded * shape.scalar_bytes);
    const int first_gates = first_gates_of(config);
    Places places{};
    const auto gates_bytes = [&](int count) {
        return whole_lines(gate * static_cast<std::size_t>(count) *
                           static_cast<std::size_t>(config.weights.bytes()));
    };
    places.candidate = gates_bytes(first_gates);
    places.peephole = places.candidate + (has_two_phases(config) ? gates_bytes(1) : 0);
    places.recurrent_bias =
        places.peephole + (config.peephole ? whole_lines(vector * kPeepholes) : 0);
    places.scales = places.recurrent_bias + (has_recurrent_bias(config) ? whole_lines(vector) : 0);
    places.sums = places.end = places.scales;
    if (config.weights.integers()) {
        const auto rows = static_cast<std::size_t>(shape.projected);
        const auto planes = static_cast<std::size_t>(config.weights.weight_planes());
        places.sums += whole_lines(rows * sizeof(float));
        places.end = places.sums + whole_lines(rows * planes * sizeof(std::int32_t));
    }
    return places;
}

// The part of a cell's weights that is packed now.
struct Part {
    const CellConfig& config;
    CellShape shape;
    Range blocks;

    // Hidden units that a block holds; the last may have fewer than lanes.
    std::int64_t units(std::int64_t block) const {
        return std::min<std::int64_t>(shape.lanes, shape.hidden - block * shape.lanes);
    }
};

// `count` gates from `first` on of r: [G*H,H] as panels [block][k][gate][lane]. `sums`: of rows of
// integers, [block][gate of all][plane][lane], or null.
void pack_gates(const Part& part, const void* r, int first, int count, char* out,
                std::int32_t* sums) {
    const CellShape& shape = part.shape;
    const WeightFormat& format = part.config.weights;
    for (std::int64_t block = part.blocks.begin; block < part.blocks.end; ++block) {
        const std::int64_t unit = block * shape.lanes;
        const std::int64_t block_bytes = shape.k * count * shape.lanes * shape.weight_bytes;
        if (format.rounds_rows()) {
            std::memset(out + block * block_bytes, 0, static_cast<std::size_t>(block_bytes));
        }
        for (std::int64_t gate = first; gate < first + count; ++gate) {
            const std::int64_t from = (gate * shape.hidden + unit) * shape.hidden;
            const auto* rows = static_cast<const char*>(r) + from * shape.weight_bytes;
            const std::int64_t to =
                (block * shape.k * count + (gate - first) * shape.together) * shape.lanes;
            const PanelTarget target{out + to * shape.weight_bytes, shape.lanes,
                                     count * shape.lanes};
            const std::int64_t place = (block * shape.gates + gate) * format.weight_planes();
            pack_columns({rows, shape.hidden, 1, part.units(block), shape.hidden}, target, format,
                         shape.together, sums == nullptr ? nullptr : sums + place * shape.lanes);
        }
    }
}

// Vectors [first, first + count) of `vectors`: [..][H] as [block][vector][lane]; zeros where null.
void pack_vectors(const Part& part, const CellWeights& weights, const void* vectors, int first,
                  int count, char* out) {
    const CellShape& shape = part.shape;
    const std::int64_t block_bytes = count * shape.lanes * shape.scalar_bytes;
    const std::int64_t blocks = part.blocks.end - part.blocks.begin;
    std::memset(out + part.blocks.begin * block_bytes, 0,
                static_cast<std::size_t>(blocks * block_bytes));
    if (vectors == nullptr) return;
    const RowConverter rows(Isa::plain, weights.vectors);
    for (std::int64_t block = part.blocks.begin; block < part.blocks.end; ++block) {
        for (std::int64_t vector = 0; vector < count; ++vector) {
            const std::int64_t from = (first + vector) * shape.hidden + block * shape.lanes;
            const std::int64_t to = (block * count + vector) * shape.lanes;
            rows.load(rows.at(vectors, from), out + to * shape.scalar_bytes, part.units(block));
        }
    }
}

}  // namespace

CellShape cell_shape(const CellConfig& config, int lanes, int together, int padded_to) {
    CellShape shape;
    shape.hidden = config.hidden_size;
    shape.lanes = lanes;
    shape.together = together;
    shape.gates = gates_of(config);
    shape.blocks = (config.hidden_size + lanes - 1) / lanes;
    shape.padded = shape.blocks * lanes;
    shape.projected = shape.padded * shape.gates;
    shape.steps = whole_steps(config.hidden_size, together) / together;
    shape.k = whole_steps(config.hidden_size, std::max(together, padded_to));
    shape.weight_bytes = config.weights.bytes();
    shape.scalar_bytes = static_cast<std::int64_t>(bytes_of(config.weights.precision()));
    return shape;
}

void pack_scales(const CellShape& shape, const float* scales, Range blocks, float* out) {
    for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
        const std::int64_t unit = block * shape.lanes;
        const std::int64_t units = std::min<std::int64_t>(shape.lanes, shape.hidden - unit);
        for (std::int64_t gate = 0; gate < shape.gates; ++gate) {
            float* to = out + (block * shape.gates + gate) * shape.lanes;
            std::fill_n(to, shape.lanes, 0.0F);
            if (scales == nullptr) {
                std::fill_n(to, units, 1.0F);
            } else {
                std::copy_n(scales + gate * shape.hidden + unit, units, to);
            }
        }
    }
}

std::size_t packed_cell_bytes(const CellConfig& config, const CellShape& shape) {
    return places_of(config, shape).end;
}

PackedCell packed_cell_at(const CellConfig& config, const CellShape& shape, const void* memory) {
    const Places places = places_of(config, shape);
    const auto* base = static_cast<const char*>(memory);
    PackedCell packed;
    packed.recurrent = base;
    if (has_two_phases(config)) packed.candidate = base + places.candidate;
    if (config.peephole) packed.peephole = base + places.peephole;
    if (has_recurrent_bias(config)) packed.recurrent_bias = base + places.recurrent_bias;
    if (config.weights.integers()) {
        packed.scales = reinterpret_cast<const float*>(base + places.scales);
        packed.sums = reinterpret_cast<const std::int32_t*>(base + places.sums);
    }
    return packed;
}

DensePanels dense_panels(const CellConfig& config, const CellShape& shape, const PackedCell& packed,
                         bool candidate) {
    const int vectors = candidate ? 1 : first_gates_of(config);
    const std::int64_t unit_bytes = shape.k * vectors * shape.lanes * shape.weight_bytes;
    return {candidate ? packed.candidate : packed.recurrent,
            shape.blocks,
            shape.hidden,
            unit_bytes,
            vectors,
            kSparseSpan / shape.lanes};
}

void pack_cell(const CellConfig& config, const CellShape& shape, const CellWeights& weights,
               void* memory, Range blocks) {
    const Part part{config, shape, blocks};
    const Places places = places_of(config, shape);
    auto* out = static_cast<char*>(memory);
    const int first_gates = first_gates_of(config);
    std::int32_t* sums = nullptr;
    if (config.weights.integers()) {
        sums = reinterpret_cast<std::int32_t*>(out + places.sums);
        pack_scales(shape, weights.r_scale, blocks, reinterpret_cast<float*>(out + places.scales));
    }
    pack_gates(part, weights.r, 0, first_gates, out, sums);
    if (has_two_phases(config)) {
        pack_gates(part, weights.r, first_gates, 1, out + places.candidate, sums);
    }
    if (config.peephole) {
        pack_vectors(part, weights, weights.p, 0, kPeepholes, out + places.peephole);
    }
    if (has_recurrent_bias(config)) {
        pack_vectors(part, weights, weights.b, 3, 1, out + places.recurrent_bias);
    }
}

}  // namespace rondo::cpu
