// Runs the generated code of a cell: cuts a step into tiles and points them to their operands.
#include <algorithm>
#include <cstring>

#include "plugins/cpu/jit/jit_cell.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"

namespace rondo::cpu::jit {
namespace {

const void* offset(const void* base, std::int64_t bytes) {
    return base == nullptr ? nullptr : static_cast<const char*>(base) + bytes;
}

void* offset(void* base, std::int64_t bytes) {
    return base == nullptr ? nullptr : static_cast<char*>(base) + bytes;
}

// The tiles of a block's rows split the prefetch of the next block's weights. These come from the
// cache that all cores share or from memory, slower than the first tile of rows consumes them.
const void* prefetched(const CellStepArgs& args, const TileShape& shape, std::int64_t row,
                       std::int64_t block, const TileArgs& tile) {
    if (!prefetches(shape)) return nullptr;
    const std::int64_t next = args.backward ? block - 1 : block + 1;
    const std::int64_t begin = row / shape.rows * tile.k * kPrefetchedBytes;
    if (next < args.block_begin || next >= args.block_end || begin >= tile.panel_stride) {
        return tile.panels;  // nothing: it is in the cache
    }
    return offset(tile.panels, (next - block) * tile.panel_stride + begin);
}

// Whether the panels of a tile's fused input are close enough for their distance to fit an
// instruction. Rounded rows have no common sum of W and R.
bool can_fuse(const CellConfig& config) {
    constexpr std::int64_t kFarthest = std::int64_t{1} << 30;
    const std::int64_t panels = kMaxTilePanels * gates_of(config);
    return config.input_size > 0 && !config.weights.rounds_rows() &&
           config.input_size < kFarthest / (panels * static_cast<std::int64_t>(kCacheLine));
}

bool looks_ahead(int phase, const LookAhead* ahead) {
    return phase == 0 && ahead != nullptr && ahead->next + kLookAheadPanels <= ahead->end;
}

// The next panels of the look-ahead.
LookAheadArgs next_panels(LookAhead& ahead, const CellShape& cells) {
    const std::int64_t panel = ahead.next;
    ahead.next += kLookAheadPanels;
    const std::int64_t vector_bytes = cells.lanes * cells.scalar_bytes;
    LookAheadArgs args;
    args.k = ahead.k;
    args.panel = offset(ahead.panels, panel * ahead.k * vector_bytes);
    args.panel_stride = ahead.k * vector_bytes;
    args.start = offset(ahead.bias, panel * vector_bytes);
    args.rows = ahead.x;
    args.row_stride = ahead.x_stride;
    args.out = offset(ahead.projected, panel * vector_bytes);
    args.out_stride = cells.projected * cells.scalar_bytes;
    return args;
}

}  // namespace

JitCell::JitCell(Isa isa, const CellConfig& config)
    : CellKernel(config, lanes_of(isa, config.weights.precision()),
                 numbers_of_step(isa, config.weights),
                 uses_tiles(isa, config.weights) ? tile_numbers(config.weights) : 1),
      isa_(isa),
      l1_bytes_(cpu_features().l1_bytes),
      phases_(cell_phases(config)) {
    if (uses_tiles(isa, config.weights)) tiles_.emplace(config.weights);
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        TileRequest request;
        request.weights = config.weights;
        request.vectors = phases_[i].vectors;
        request.look_ahead = i == 0;
        request.prefetch = true;
        request.finish_rows = rows_to_finish(isa, config.weights);
        if (can_fuse(config)) request.input = {config.input_size, gates_of(config)};
        codes_.push_back(std::make_unique<CellCode>(isa, config, phases_[i], request));
        choose_panels(i);
    }
}

void JitCell::choose_panels(std::size_t phase) {
    const int vectors = phases_[phase].vectors;
    for (int rows = 1; rows <= max_tile_rows(isa_, vectors, chains()); ++rows) {
        for (int available = 1; available <= kMaxTilePanels; ++available) {
            panels_[phase][rows][available] =
                static_cast<std::int8_t>(best_panels(vectors, rows, available));
        }
    }
}

// The number of panels of a tile. A single row streams weights: if two panels keep the units busy
// and fit the first-level cache, they are still there when the next step comes back.
int JitCell::best_panels(int vectors, int rows, int available) const {
    const int most = tile_panels(isa_, {rows, 1, vectors, chains()}, available);
    const CellShape& cells = this->shape();
    const std::int64_t panel_bytes = cells.hidden * vectors * cells.lanes * cells.weight_bytes;
    constexpr int kBusy = 6;  // accumulators
    const bool two = rows == 1 && most > 2 && 2 * vectors * chains() >= kBusy &&
                     most * panel_bytes > l1_bytes_ && 2 * panel_bytes <= l1_bytes_;
    return two ? 2 : most;
}

int JitCell::panels_for(int phase, int rows, std::int64_t available,
                        const CellStepArgs& args) const {
    const auto some = static_cast<int>(std::min<std::int64_t>(available, kMaxTilePanels));
    if (args.input != nullptr) {
        const int vectors = phase_at(phase).vectors;
        return std::min(tile_panels(isa_, {rows, 1, vectors, chains()}, some),
                        max_fused_panels(vectors));
    }
    if (looks_ahead(phase, args.ahead)) {
        return some < kMaxLookAheadTilePanels ? 1 : kMaxLookAheadTilePanels;
    }
    return panels_[phase][rows][some];
}

void JitCell::run(int phase, const CellStepArgs& args) const {
    if (args.rows == 0) return;
    const SparsePanels* sparse =
        phase == 0 ? args.weights->sparse_recurrent : args.weights->sparse_candidate;
    if (sparse == nullptr || args.input != nullptr || !sparse->pays(args.rows)) {
        return run_dense(phase, args);
    }
    const Range blocks = sparse->covered({args.block_begin, args.block_end});
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        CellStepArgs some = args;
        some.block_begin = begin;
        some.block_end = end;
        return some;
    };
    run_dense(phase, part(args.block_begin, blocks.begin));
    run_sparse(phase, part(blocks.begin, blocks.end), *sparse);
    run_dense(phase, part(blocks.end, args.block_end));
}

void JitCell::run_dense(int phase, const CellStepArgs& args) const {
    if (args.block_begin == args.block_end) return;
    if (!config().weights.rounds_rows()) return run_rows(phase, args, {0, args.rows}, nullptr);
    const auto* left = static_cast<const float*>(left_of(phase, args));
    const std::int64_t units = (args.block_end - args.block_begin) * shape().lanes;
    const std::int64_t weight_bytes =
        units * phase_at(phase).vectors * shape().k * shape().weight_bytes;
    for_each_quantized(
        {isa_, config().weights, args.rows, shape().hidden, weight_bytes}, tiles_,
        [&](std::int64_t row) { return left + row * shape().padded; },
        [&](std::int64_t first, std::int64_t count, const QuantizedRows& rows, bool in_tiles) {
            const Range range{first, first + count};
            in_tiles ? run_in_tiles(phase, args, range, rows) : run_rows(phase, args, range, &rows);
        });
}

// Zeros times numbers that aren't finite are NaN.
void JitCell::run_sparse(int phase, const CellStepArgs& args, const SparsePanels& panels) const {
    if (args.block_begin == args.block_end) return;
    const auto* left = static_cast<const float*>(left_of(phase, args));
    const WeightFormat& format = config().weights;
    if (!format.rounds_rows()) {
        if (!all_finite(left, args.rows * shape().padded)) return run_dense(phase, args);
        for (std::int64_t row = 0; row < args.rows; ++row) {
            run_sparse_row(phase, args, panels, {row, left + row * shape().padded, nullptr});
        }
        return;
    }
    QuantizedRows rows(isa_, format, shape().together, shape().hidden);
    for (std::int64_t row = 0; row < args.rows; ++row) {
        rows.load(0, left + row * shape().padded);
        run_sparse_row(phase, args, panels, {row, rows.row(0), &rows});
    }
}

void JitCell::run_sparse_row(int phase, const CellStepArgs& args, const SparsePanels& panels,
                             const SparseRow& row) const {
    const int vectors = phase_at(phase).vectors;
    alignas(kCacheLine) char sums[kMostSparseSums * sizeof(float)];
    const std::int64_t last = (args.block_end - 1) / panels.span() * panels.span();
    for (std::int64_t i = args.block_begin; i < args.block_end; i += panels.span()) {
        const Range blocks = panels.span_at(args.backward ? args.block_begin + last - i : i);
        load_starts(phase, args, row.index, blocks, sums);
        panels.add(blocks.begin, row.numbers, sums);
        const std::int64_t block_bytes =
            vectors * config().weights.sums() * shape().lanes * shape().scalar_bytes;
        for (std::int64_t block = blocks.begin; block < blocks.end;) {
            const TileShape most{1, 1, vectors, chains()};
            const int count = tile_panels(isa_, most, blocks.end - block);
            run_tile(phase, args, {row.index, block, 0}, {1, count, vectors, chains()},
                     {row.quantized, sums + (block - blocks.begin) * block_bytes});
            block += count;
        }
    }
}

// What the sums of a row start from: of integers 0, else the projected gates; a vector apart from
// the recurrent bias.
void JitCell::load_starts(int phase, const CellStepArgs& args, std::int64_t row, Range blocks,
                          char* sums) const {
    const CellShape& cells = shape();
    const CellPhase& part = phase_at(phase);
    const auto vector = static_cast<std::size_t>(cells.lanes * cells.scalar_bytes);
    if (config().weights.integers()) {
        const auto count = static_cast<std::size_t>(blocks.size() * part.vectors * chains());
        std::memset(sums, 0, count * vector);
        return;
    }
    for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
        const std::int64_t first =
            row * cells.projected + (block * cells.gates + part.first_gate) * cells.lanes;
        for (int i = 0; i < part.vectors; ++i, sums += vector) {
            const void* from =
                i == part.apart
                    ? offset(args.weights->recurrent_bias, block * cells.lanes * cells.scalar_bytes)
                    : offset(args.projected, (first + i * cells.lanes) * cells.scalar_bytes);
            std::memcpy(sums, from, vector);
        }
    }
}

// A block at a time for all rows: those of the later rows find its weights in the cache.
void JitCell::run_in_tiles(int phase, const CellStepArgs& args, Range range,
                           const QuantizedRows& quantized) const {
    for (std::int64_t i = args.block_begin; i < args.block_end; ++i) {
        const std::int64_t block = args.backward ? args.block_begin + args.block_end - 1 - i : i;
        for (std::int64_t row = 0; row < range.size(); row += tiles_->rows_at_once()) {
            const std::int64_t rows = std::min(range.size() - row, tiles_->rows_at_once());
            run_block_in_tiles(phase, args, {range.begin + row, block, row}, rows, quantized);
        }
    }
}

void JitCell::run_block_in_tiles(int phase, const CellStepArgs& args, const Corner& at,
                                 std::int64_t rows, const QuantizedRows& quantized) const {
    const CellShape& cells = shape();
    const int vectors = phase_at(phase).vectors, sums = config().weights.sums();
    const std::int64_t vector_bytes = cells.lanes * cells.together * cells.weight_bytes;
    const std::int64_t block_bytes = cells.k * vectors * cells.lanes * cells.weight_bytes;
    const void* weights = phase == 0 ? args.weights->recurrent : args.weights->candidate;
    const TilePanels panels{cells.hidden, offset(weights, at.block * block_bytes),
                            vectors * vector_bytes, vector_bytes};
    const TileRows left{quantized.row(at.quantized_row), quantized.stride()};
    TileSums of_tiles;
    int most = kMaxTileRows;
    if (config().weights.integers()) {
        most = most_tile_rows(isa_, 1, vectors, sums);
        of_tiles.multiply(*tiles_, left, rows, vectors, panels);
    } else {
        add_bf16_products(phase, args, at, {left, rows, {}}, panels, of_tiles);
    }
    for (std::int64_t row = 0; row < rows; row += most) {
        const auto some = static_cast<int>(std::min<std::int64_t>(most, rows - row));
        run_tile(phase, args, {at.row + row, at.block, at.quantized_row + row},
                 {some, 1, vectors, sums}, {&quantized, of_tiles.row(row), of_tiles.stride()});
    }
}

// From the projected gates on; a vector apart from the recurrent bias.
void JitCell::add_bf16_products(int phase, const CellStepArgs& args, const Corner& at,
                                const TileOperands& operands, const TilePanels& panels,
                                TileSums& sums) const {
    const CellShape& cells = shape();
    const CellPhase& part = phase_at(phase);
    const std::int64_t row_bytes = cells.projected * cells.scalar_bytes;
    const std::int64_t vector = cells.lanes * cells.scalar_bytes;
    const int together = part.apart == CellPhase::kNone ? part.vectors : part.apart;
    TileOperands from = operands;
    from.start = {offset(args.projected,
                         at.row * row_bytes + (at.block * cells.gates + part.first_gate) * vector),
                  row_bytes};
    sums.begin(part.vectors);
    sums.add(*tiles_, from, {0, together}, panels);
    if (together == part.vectors) return;
    TilePanels apart = panels;
    apart.first = offset(panels.first, together * panels.vector_stride);
    from.start = {offset(args.weights->recurrent_bias, at.block * vector), 0};
    sums.add(*tiles_, from, {together, part.vectors}, apart);
}

// Blocks outside, rows inside: the panels of a group of blocks serve all rows while in the cache.
// `quantized`: the rows as integers, or null.
void JitCell::run_rows(int phase, const CellStepArgs& args, Range range,
                       const QuantizedRows* quantized) const {
    const int vectors = phase_at(phase).vectors;
    const int max_rows =
        static_cast<int>(even_tile_rows(range.size(), max_tile_rows(isa_, vectors, chains())));
    std::int64_t begin = args.block_begin, end = args.block_end;
    while (begin < end) {
        const int panels = panels_for(phase, max_rows, end - begin, args);
        const std::int64_t block = args.backward ? end - panels : begin;
        for (std::int64_t row = range.begin; row < range.end; row += max_rows) {
            const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, range.end - row));
            run_tile(phase, args, {row, block, row - range.begin},
                     {rows, panels, vectors, chains()}, {quantized});
        }
        args.backward ? end -= panels : begin += panels;
    }
}

void JitCell::run_tile(int phase, const CellStepArgs& args, const Corner& at,
                       const TileShape& shape, const Done& done) const {
    const QuantizedRows* quantized = done.rows;
    const PackedCell& weights = *args.weights;
    const CellShape& cells = this->shape();
    const std::int64_t scalar = cells.scalar_bytes;
    const std::int64_t unit = at.block * cells.lanes;
    const std::int64_t row_bytes = cells.padded * scalar;
    const std::int64_t state = at.row * row_bytes + unit * scalar;
    const std::int64_t projected_bytes = cells.projected * scalar;
    CellTileArgs cell;
    TileArgs& tile = cell.tile;
    tile.k = cells.steps;
    tile.panel_stride = cells.k * shape.vectors * cells.lanes * cells.weight_bytes;
    tile.panels =
        offset(phase == 0 ? weights.recurrent : weights.candidate, at.block * tile.panel_stride);
    tile.prefetched = prefetched(args, shape, at.row, at.block, tile);
    const void* left = left_of(phase, args);
    const void* start =
        offset(args.projected,
               at.row * projected_bytes +
                   (at.block * cells.gates + phase_at(phase).first_gate) * cells.lanes * scalar);
    void* y[kMaxTileRows];
    for (int row = 0; row < shape.rows; ++row) {
        tile.rows[row] = quantized != nullptr ? quantized->row(at.quantized_row + row)
                                              : offset(left, (at.row + row) * row_bytes);
        tile.start[row] = offset(start, row * projected_bytes);
        if (args.y != nullptr) y[row] = offset(args.y[at.row + row], unit * scalar);
    }
    cell.row_count = shape.rows;
    cell.panel_count = shape.panels;
    cell.units = cells.hidden - unit;
    cell.y = args.y != nullptr ? y : nullptr;
    cell.h_prev = offset(args.h_prev, state);
    cell.h_next = offset(args.h_next, state);
    cell.c = offset(args.c, state);
    cell.update_gate = offset(args.update_gate, state);
    cell.reset_hidden = offset(args.reset_hidden, state);
    cell.peephole = offset(weights.peephole, unit * 3 * scalar);
    cell.recurrent_bias = offset(weights.recurrent_bias, unit * scalar);
    if (config().weights.integers()) point_to_integers(phase, args, at, *quantized, cell);
    if (done.sums != nullptr) {
        tile.sums = static_cast<const std::int32_t*>(done.sums);
        tile.sums_stride = done.stride;
        const TileFunctions& all = functions(phase);
        return config().weights.integers() ? all.finish[shape.rows][shape.panels](&cell)
                                           : all.finish_floats(&cell);
    }
    if (args.input != nullptr) {
        point_to_inputs(phase, args, at, shape, tile.input);
        return functions(phase).fused[shape.rows][shape.panels](&cell);
    }
    if (!looks_ahead(phase, args.ahead)) {
        return functions(phase).plain[shape.rows][shape.panels](&cell);
    }
    tile.ahead = next_panels(*args.ahead, cells);
    functions(phase).look_ahead[shape.panels](&cell);
}

void JitCell::point_to_integers(int phase, const CellStepArgs& args, const Corner& at,
                                const QuantizedRows& quantized, CellTileArgs& cell) const {
    const std::int64_t first =
        (at.block * shape().gates + phase_at(phase).first_gate) * shape().lanes;
    cell.scales = args.weights->scales + first;
    cell.row_scales = quantized.scales() + at.quantized_row;
    cell.row_zeros = quantized.zeros() + at.quantized_row;
    cell.weight_sums = args.weights->sums + first * config().weights.weight_planes();
}

void JitCell::point_to_inputs(int phase, const CellStepArgs& args, const Corner& at,
                              const TileShape& shape, FusedInputArgs& input) const {
    const CellShape& cells = this->shape();
    const std::int64_t panel = at.block * cells.gates + phase_at(phase).first_gate;
    input.panels =
        offset(args.input->panels, panel * config().input_size * cells.lanes * cells.weight_bytes);
    input.start = offset(args.input->bias, panel * cells.lanes * cells.scalar_bytes);
    for (int row = 0; row < shape.rows; ++row) input.rows[row] = args.input->rows[at.row + row];
}

std::unique_ptr<CellKernel> make_cell(Isa isa, const CellConfig& config) {
    return generate<JitCell>(isa, config);
}

}  // namespace rondo::cpu::jit
