#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/cell_kernel.hpp"
#include "plugins/cpu/kernels/panel_pack.hpp"
#include "plugins/cpu/kernels/row_converter.hpp"

namespace rondo::cpu {
namespace {

constexpr int kPeepholes = 3;

bool has_two_phases(const CellConfig& config) { return config.kind == CellKind::gru; }

bool has_recurrent_bias(const CellConfig& config) {
    return config.kind == CellKind::gru_linear_before_reset;
}

// Bytes from the start of the packed weights.
struct Places {
    std::size_t candidate;
    std::size_t peephole;
    std::size_t recurrent_bias;
    std::size_t end;
};

Places places_of(const CellConfig& config, const CellShape& shape) {
    const auto gate = static_cast<std::size_t>(shape.padded * shape.hidden);
    const auto vector = static_cast<std::size_t>(shape.padded * shape.scalar_bytes);
    const int first_gates = has_two_phases(config) ? 2 : shape.gates;
    Places places{};
    const auto gates_bytes = [&](int count) {
        return whole_lines(gate * static_cast<std::size_t>(count) * size_of(config.weights));
    };
    places.candidate = gates_bytes(first_gates);
    places.peephole = places.candidate + (has_two_phases(config) ? gates_bytes(1) : 0);
    places.recurrent_bias =
        places.peephole + (config.peephole ? whole_lines(vector * kPeepholes) : 0);
    places.end = places.recurrent_bias + (has_recurrent_bias(config) ? whole_lines(vector) : 0);
    return places;
}

// `count` gates from `first` on of r: [G*H,H] as panels [block][k][gate][lane].
void pack_gates(const CellConfig& config, const CellShape& shape, const void* r, int first,
                int count, char* out) {
    const auto bytes = static_cast<std::int64_t>(size_of(config.weights));
    const std::int64_t k = shape.hidden;
    for (std::int64_t block = 0; block < shape.blocks; ++block) {
        const std::int64_t unit = block * shape.lanes;
        const std::int64_t units = std::min<std::int64_t>(shape.lanes, shape.hidden - unit);
        for (std::int64_t gate = 0; gate < count; ++gate) {
            const std::int64_t from = ((first + gate) * shape.hidden + unit) * k;
            const std::int64_t to = (block * k * count + gate) * shape.lanes;
            pack_panel({static_cast<const char*>(r) + from * bytes, k, 1, units, k},
                       {out + to * bytes, shape.lanes, count * shape.lanes},
                       size_of(config.weights));
        }
    }
}

// Vectors [first, first + count) of `vectors`: [..][H] as [block][vector][lane]; zeros where null.
void pack_vectors(const CellShape& shape, ElementType type, const void* vectors, int first,
                  int count, char* out) {
    std::memset(out, 0, static_cast<std::size_t>(shape.padded * count * shape.scalar_bytes));
    if (vectors == nullptr) return;
    const RowConverter rows(Isa::plain, type);
    for (std::int64_t block = 0; block < shape.blocks; ++block) {
        const std::int64_t unit = block * shape.lanes;
        const std::int64_t units = std::min<std::int64_t>(shape.lanes, shape.hidden - unit);
        for (std::int64_t vector = 0; vector < count; ++vector) {
            const std::int64_t to = (block * count + vector) * shape.lanes;
            rows.load(rows.at(vectors, (first + vector) * shape.hidden + unit),
                      out + to * shape.scalar_bytes, units);
        }
    }
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
    shape.weight_bytes = static_cast<std::int64_t>(size_of(config.weights));
    shape.scalar_bytes = static_cast<std::int64_t>(bytes_of(precision_of(config.weights)));
    return shape;
}

std::size_t packed_cell_bytes(const CellConfig& config, int lanes) {
    return places_of(config, cell_shape(config, lanes)).end;
}

PackedCell packed_cell_at(const CellConfig& config, int lanes, const void* memory) {
    const Places places = places_of(config, cell_shape(config, lanes));
    const auto* base = static_cast<const char*>(memory);
    PackedCell packed;
    packed.recurrent = base;
    if (has_two_phases(config)) packed.candidate = base + places.candidate;
    if (config.peephole) packed.peephole = base + places.peephole;
    if (has_recurrent_bias(config)) packed.recurrent_bias = base + places.recurrent_bias;
    return packed;
}

PackedCell pack_cell(const CellConfig& config, int lanes, const CellWeights& weights,
                     void* memory) {
    const CellShape shape = cell_shape(config, lanes);
    const Places places = places_of(config, shape);
    auto* out = static_cast<char*>(memory);
    const int first_gates = has_two_phases(config) ? 2 : shape.gates;
    pack_gates(config, shape, weights.r, 0, first_gates, out);
    if (has_two_phases(config)) pack_gates(config, shape, weights.r, 2, 1, out + places.candidate);
    if (config.peephole) {
        pack_vectors(shape, weights.vectors, weights.p, 0, kPeepholes, out + places.peephole);
    }
    if (has_recurrent_bias(config)) {
        pack_vectors(shape, weights.vectors, weights.b, 3, 1, out + places.recurrent_bias);
    }
    return packed_cell_at(config, lanes, memory);
}

}  // namespace rondo::cpu
