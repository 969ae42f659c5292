#include "plugins/cpu/jit/tile_product_code.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "plugins/cpu/jit/tile_shape.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kTiles = 8, kTileBytes = 64;

// What ldtilecfg reads.
struct TileConfig {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

constexpr TileConfig kWholeTiles = [] {
    TileConfig config;
    for (int i = 0; i < kTiles; ++i) {
        config.row_bytes[i] = kTileBytes;
        config.rows[i] = TileProductCode::kRows;
    }
    return config;
}();

}  // namespace

// The tiles of sums leave room for those of the rows and for one of weights.
int TileProductCode::row_tiles() const {
    return 2 * (format_.sums() + format_.row_planes()) < kTiles ? 2 : 1;
}

int TileProductCode::vectors(int row_tiles) const {
    for (int count = kMostVectors; count > 1; count /= 2) {
        const int sums = row_tiles * count * format_.sums();
        if (sums <= kMostSums && sums + row_tiles * format_.row_planes() < kTiles) return count;
    }
    return 1;
}

// One product of TileProductArgs. Tiles: the sums [row tile][vector][sum], the rows [row
// tile][plane], then weights by turns.
class TileProductCode::Product {
public:
    Product(TileProductCode& code, int row_tiles, int vectors)
        : code_(code),
          row_tiles_(row_tiles),
          vectors_(vectors),
          row_planes_(code.format_.row_planes()),
          first_row_(row_tiles * vectors * code.format_.sums()),
          first_weight_(first_row_ + row_tiles * row_planes_) {}

    void emit() {
        code_.emit_entry(0);
        take_pointers();
        emit_starts();
        Xbyak::Label next, done;
        code_.test(gpr(steps_), gpr(steps_));
        code_.jz(done, T_NEAR);
        code_.L(next);
        emit_step();
        code_.dec(gpr(steps_));
        code_.jnz(next, T_NEAR);
        code_.L(done);
        emit_stores();
        code_.emit_exit();
    }

private:
    static constexpr auto T_NEAR = Xbyak::CodeGenerator::T_NEAR;

    Xbyak::Reg64 gpr(const Lease& lease) const { return JitBase::gpr(lease); }
    static const Lease& at(const std::vector<Lease>& leases, int i) {
        return leases[static_cast<std::size_t>(i)];
    }

    Lease take(const char* role, std::size_t member) {
        Lease lease = code_.take_gpr(role);
        code_.mov(gpr(lease), code_.argument(member));
        return lease;
    }
    // to = kRows * stride.
    void emit_rows_of_tile(const Lease& to, const Lease& stride) {
        constexpr int kLogOfRows = 4;
        code_.mov(gpr(to), gpr(stride));
        code_.shl(gpr(to), kLogOfRows);
    }

    void take_pointers() {
        steps_ = take("steps", offsetof(TileProductArgs, steps));
        row_stride_ = take("stride of rows", offsetof(TileProductArgs, row_stride));
        panel_stride_ = take("stride of panels", offsetof(TileProductArgs, panel_stride));
        advance_ = code_.take_gpr("step of panels");
        emit_rows_of_tile(advance_, row_stride_);
        for (int i = 0; i < row_tiles_; ++i) {
            rows_.push_back(take("rows", offsetof(TileProductArgs, rows)));
            for (int j = 0; j < i; ++j) code_.add(gpr(rows_.back()), gpr(advance_));
        }
        const auto vector_stride = offsetof(TileProductArgs, vector_stride);
        for (int i = 0; i < vectors_; ++i) {
            panels_.push_back(take("panel", offsetof(TileProductArgs, panels)));
            for (int j = 0; j < i; ++j) {
                code_.add(gpr(panels_.back()), code_.argument(vector_stride));
            }
        }
        emit_rows_of_tile(advance_, panel_stride_);
    }

    void emit_starts() {
        if (code_.format_.integers()) {
            for (int i = 0; i < first_row_; ++i) code_.tilezero(Xbyak::Tmm(i));
        } else {
            for_each_sum(offsetof(TileProductArgs, start), offsetof(TileProductArgs, start_stride),
                         [&](const Xbyak::Tmm& tile, const Xbyak::Address& at) {
                             code_.tileloadd(tile, at);
                         });
        }
    }

    // Calls emit(tile, its place in memory) for all tiles of sums.
    template <typename Emit>
    void for_each_sum(std::size_t first, std::size_t stride, Emit emit) {
        const Lease place = take("sums", first), step = take("stride of sums", stride);
        const Lease tile = code_.take_gpr("sums of a tile of rows");
        emit_rows_of_tile(tile, step);
        const int of_row = first_row_ / row_tiles_;
        for (int i = 0; i < first_row_; ++i) {
            if (i > 0 && i % of_row == 0) code_.add(gpr(place), gpr(tile));
            emit(Xbyak::Tmm(i), Xbyak::util::ptr[gpr(place) + gpr(step) + i % of_row * kTileBytes]);
        }
    }

    void emit_step() {
        for (int i = 0; i < row_tiles_ * row_planes_; ++i) {
            const Xbyak::Reg64 row = gpr(at(rows_, i / row_planes_));
            code_.tileloadd(
                Xbyak::Tmm(first_row_ + i),
                Xbyak::util::ptr[row + gpr(row_stride_) + i % row_planes_ * kTileBytes]);
        }
        const int weight_planes = code_.format_.weight_planes();
        for (int i = 0; i < vectors_ * weight_planes; ++i) {
            const Xbyak::Tmm weights(first_weight_ + i % (kTiles - first_weight_));
            const int vector = i / weight_planes, plane = i % weight_planes;
            code_.tileloadd(weights, Xbyak::util::ptr[gpr(at(panels_, vector)) +
                                                      gpr(panel_stride_) + plane * kTileBytes]);
            emit_products(weights, vector, plane);
        }
        for (const Lease& panel : panels_) code_.add(gpr(panel), gpr(advance_));
        for (const Lease& row : rows_) code_.add(gpr(row), row_planes_ * kTileBytes);
    }

    void emit_products(const Xbyak::Tmm& weights, int vector, int plane) {
        const int sums = code_.format_.sums();
        for (int i = 0; i < row_tiles_ * row_planes_; ++i) {
            const int row_tile = i / row_planes_, sum = i % row_planes_ + plane;
            const Xbyak::Tmm to((row_tile * vectors_ + vector) * sums + sum);
            const Xbyak::Tmm rows(first_row_ + i);
            code_.format_.integers() ? code_.tdpbusd(to, rows, weights)
                                     : code_.tdpbf16ps(to, rows, weights);
        }
    }

    void emit_stores() {
        for_each_sum(
            offsetof(TileProductArgs, sums), offsetof(TileProductArgs, sums_stride),
            [&](const Xbyak::Tmm& tile, const Xbyak::Address& at) { code_.tilestored(at, tile); });
    }

    TileProductCode& code_;
    const int row_tiles_, vectors_, row_planes_;
    const int first_row_, first_weight_;  // tiles
    Lease steps_, row_stride_, panel_stride_, advance_;
    std::vector<Lease> rows_, panels_;
};

TileProductCode::TileProductCode(const WeightFormat& format)
    : JitBase(Isa::avx512, std::string("tiles_") + cpu::name_of(format)), format_(format) {
    std::list<std::pair<Xbyak::Label, Function*>> entries;
    const auto start = [&](Function& function) {
        align(16);
        entries.emplace_back(Xbyak::Label(), &function);
        L(entries.back().first);
    };
    start(begin_);
    mov(rax, reinterpret_cast<std::uintptr_t>(&kWholeTiles));
    ldtilecfg(ptr[rax]);
    ret();
    start(end_);
    tilerelease();
    ret();
    for (int row_tiles = 1; row_tiles <= this->row_tiles(); ++row_tiles) {
        for (int count = 1; count <= vectors(row_tiles); count *= 2) {
            start(functions_[row_tiles][count]);
            Product(*this, row_tiles, count).emit();
        }
    }
    finish();
    for (const auto& [label, function] : entries) {
        *function = reinterpret_cast<Function>(const_cast<std::uint8_t*>(label.getAddress()));
    }
}

bool uses_tiles(Isa isa, const WeightFormat& format) {
    return isa == Isa::avx512 && format.rounds_rows() && may_use_amx();
}

int rows_to_finish(Isa isa, const WeightFormat& format) {
    if (uses_tiles(isa, format)) return kMaxTileRows;
    return can_be_sparse(format) ? 1 : 0;
}

std::int64_t TileProductCode::most_rows(const QuantizedRows& rows,
                                        std::int64_t weight_bytes) const {
    const std::int64_t all = rows.capacity() / kRows * kRows;
    const bool is_far = weight_bytes > cpu_features().l2_bytes / 2;
    return is_far ? all : std::min(all, rows_at_once());
}

bool TileProductCode::pays(std::int64_t rows, std::int64_t k) const {
    const int numbers = tile_numbers(format_);
    const std::int64_t padded = whole_steps(k, numbers);
    return rows >= kFewestRows && k >= kFewestNumbers &&
           padded * bytes_in_row(format_, numbers) * format_.row_planes() * kRows <=
               QuantizedRows::kBytes;
}

void multiply_tiles(const TileProductCode& tiles, const TileOperands& operands, int vectors,
                    const TilePanels& panels, const TileTarget& to) {
    const int row_tiles = operands.count > TileProductCode::kRows ? 2 : 1;
    const int numbers = tile_numbers(tiles.format());
    const std::int64_t sum_bytes = tiles.format().sums() * kTileBytes;  // of a vector in a row
    TileProductArgs args{};
    args.steps = whole_steps(panels.k, numbers) / numbers;
    args.rows = operands.rows.first;
    args.row_stride = operands.rows.stride;
    args.panel_stride = panels.panel_stride;
    args.vector_stride = panels.vector_stride;
    args.start_stride = operands.start.stride;
    args.sums_stride = to.stride;
    for (int done = 0; done < vectors;) {
        int some = tiles.vectors(row_tiles);
        while (some > vectors - done) some /= 2;
        args.panels = static_cast<const char*>(panels.first) + done * panels.vector_stride;
        if (operands.start.first != nullptr) {
            args.start = static_cast<const char*>(operands.start.first) + done * sum_bytes;
        }
        args.sums = static_cast<char*>(to.first) + done * sum_bytes;
        tiles.multiply(row_tiles, some, args);
        done += some;
    }
}

void TileSums::multiply(const TileProductCode& tiles, const TileRows& rows, std::int64_t count,
                        int vectors, const TilePanels& panels) {
    stride_ = vectors * tiles.format().sums() * kTileBytes;
    multiply_tiles(tiles, {rows, count, {}}, vectors, panels, {sums_, stride_});
}

void TileSums::begin(int vectors) { stride_ = vectors * kTileBytes; }

// A tile reads whole groups of rows, of which the last may not be there: what they start from comes
// from here then.
void TileSums::add(const TileProductCode& tiles, const TileOperands& operands, Range vectors,
                   const TilePanels& panels) {
    auto* to = reinterpret_cast<char*>(sums_) + vectors.begin * kTileBytes;
    TileOperands from = operands;
    if (operands.count % TileProductCode::kRows != 0 && operands.start.stride != 0) {
        const auto bytes = static_cast<std::size_t>(vectors.size() * kTileBytes);
        for (std::int64_t row = 0; row < operands.count; ++row) {
            const auto* start = static_cast<const char*>(operands.start.first);
            std::memcpy(to + row * stride_, start + row * operands.start.stride, bytes);
        }
        from.start = {to, stride_};
    }
    multiply_tiles(tiles, from, static_cast<int>(vectors.size()), panels, {to, stride_});
}

}  // namespace rondo::cpu::jit
