#include <algorithm>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/jit_factories.hpp"

namespace rondo::cpu::jit {
namespace {

const float* offset(const AlignedBuffer& buffer, std::int64_t floats) {
    return buffer.size() == 0 ? nullptr : buffer.data() + floats;
}

float* offset(float* base, std::int64_t floats) {
    return base == nullptr ? nullptr : base + floats;
}

}  // namespace

JitCell::JitCell(Isa isa, const CellConfig& config, std::vector<Phase> phases)
    : CellKernel(config, lanes_of(isa)), isa_(isa), phases_(std::move(phases)) {
    for (Phase& phase : phases_) phase.code->generate();
}

// Blocks outside, rows inside: the panels of a group of blocks serve all rows while in the cache.
void JitCell::run(int phase, const CellStepArgs& args) const {
    const int vectors = phases_[static_cast<std::size_t>(phase)].code->vectors();
    const int max_rows = static_cast<int>(even_tile_rows(args.rows, max_tile_rows(isa_, vectors)));
    for (std::int64_t block = args.block_begin; block < args.block_end;) {
        const int panels = tile_panels(isa_, max_rows, vectors, args.block_end - block);
        for (std::int64_t row = 0; row < args.rows; row += max_rows) {
            const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, args.rows - row));
            run_tile(phase, args, {row, block}, {rows, panels, vectors});
        }
        block += panels;
    }
}

void JitCell::run_tile(int phase, const CellStepArgs& args, const Corner& at,
                       const TileShape& shape) const {
    const Phase& now = phases_[static_cast<std::size_t>(phase)];
    const PackedCell& weights = *args.weights;
    const std::int64_t width = shape.vectors * std::int64_t{this->shape().lanes};
    const std::int64_t unit = at.block * this->shape().lanes;
    const std::int64_t state = at.row * this->shape().padded + unit;
    const std::int64_t k = this->shape().hidden;
    CellTileArgs cell;
    TileArgs& tile = cell.tile;
    tile.k = k;
    tile.panel_stride = k * width * std::int64_t{sizeof(float)};
    tile.panels = offset(phase == 0 ? weights.recurrent : weights.candidate, at.block * k * width);
    const float* left = phase == 0 ? args.h_prev : args.reset_hidden;
    const float* start = args.projected + at.row * this->shape().projected +
                         (at.block * this->shape().gates + now.first_gate) * this->shape().lanes;
    float* y[kMaxTileRows];
    for (int row = 0; row < shape.rows; ++row) {
        tile.rows[row] = left + (at.row + row) * this->shape().padded;
        tile.start[row] = start + row * this->shape().projected;
        if (args.y != nullptr) y[row] = args.y[at.row + row] + unit;
    }
    cell.row_count = shape.rows;
    cell.panel_count = shape.panels;
    cell.state_stride = this->shape().padded * std::int64_t{sizeof(float)};
    cell.units = this->shape().hidden - unit;
    cell.y = args.y != nullptr ? y : nullptr;
    cell.h_prev = args.h_prev + state;
    cell.h_next = args.h_next + state;
    cell.c = offset(args.c, state);
    cell.update_gate = offset(args.update_gate, state);
    cell.reset_hidden = offset(args.reset_hidden, state);
    cell.peephole = offset(weights.peephole, unit * 3);
    cell.recurrent_bias = offset(weights.recurrent_bias, unit);
    now.code->function(shape.rows, shape.panels)(&cell);
}

std::unique_ptr<CellKernel> make_cell(Isa isa, const CellConfig& config) {
    switch (config.kind) {
        case CellKind::lstm:
            return std::make_unique<JitCell>(isa, config, lstm_phases(isa, config));
        case CellKind::gru: return std::make_unique<JitCell>(isa, config, gru_phases(isa, config));
        case CellKind::gru_linear_before_reset:
            return std::make_unique<JitCell>(isa, config, gru_linear_phases(isa, config));
        case CellKind::rnn: return std::make_unique<JitCell>(isa, config, rnn_phases(isa, config));
    }
    return nullptr;
}

}  // namespace rondo::cpu::jit
