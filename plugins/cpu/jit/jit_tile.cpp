#include "plugins/cpu/jit/jit_tile.hpp"

#include <cstddef>
#include <utility>

namespace rondo::cpu::jit {
namespace {

constexpr int kUnroll = 4;  // steps of k in the main loop

}  // namespace

// Registers of the loop over k.
struct JitTile::Pointers {
    std::vector<Lease> rows;
    std::vector<Lease> panels;
    Lease k;      // index of the step
    Lease limit;  // loop while k < limit
};

JitTile::JitTile(Isa isa, std::string name, int vectors)
    : JitBase(isa, std::move(name)), vectors_(vectors) {}

void JitTile::generate() {
    std::vector<std::pair<TileShape, Xbyak::Label>> entries;
    for (int rows = 1; rows <= max_tile_rows(isa(), vectors_); ++rows) {
        for (int panels = 1; panels <= kMaxTilePanels; ++panels) {
            const TileShape shape{rows, panels, vectors_};
            if (!is_tile(isa(), shape)) continue;
            align(16);
            entries.emplace_back(shape, Xbyak::Label());
            L(entries.back().second);
            emit_tile(shape);
        }
    }
    emit_shared();
    finish();
    for (const auto& [shape, label] : entries) {
        functions_[shape.rows][shape.panels] =
            reinterpret_cast<Function>(const_cast<std::uint8_t*>(label.getAddress()));
    }
}

void JitTile::emit_tile(const TileShape& shape) {
    emit_entry(stack_bytes());
    {
        std::vector<Lease> accumulators;
        for (int i = 0; i < shape.accumulators(); ++i) {
            accumulators.emplace_back(vector_pool_, "accumulator");
        }
        emit_starts(shape, accumulators);
        emit_products(shape, accumulators);
        const int across = shape.panels * shape.vectors;
        for (int row = 0; row < shape.rows; ++row) {
            const auto first = accumulators.begin() + row * across;
            emit_result(shape, row, std::vector<Lease>(first, first + across));
        }
    }
    emit_end(shape);
}

void JitTile::emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int vector) {
    vmovups(acc, ptr[start + (panel * vectors_ + vector) * vector_bytes()]);
}

void JitTile::emit_starts(const TileShape& shape, const std::vector<Lease>& accumulators) {
    const Lease start = take_gpr("start of a row");
    std::size_t next = 0;
    for (int row = 0; row < shape.rows; ++row) {
        mov(gpr(start), ptr[args_ + offsetof(TileArgs, start) + row * sizeof(float*)]);
        for (int panel = 0; panel < shape.panels; ++panel) {
            for (int vector = 0; vector < vectors_; ++vector) {
                emit_start(vmm(accumulators[next++]), gpr(start), panel, vector);
            }
        }
    }
}

void JitTile::emit_products(const TileShape& shape, const std::vector<Lease>& accumulators) {
    Pointers at;
    for (int row = 0; row < shape.rows; ++row) {
        at.rows.push_back(take_gpr("row"));
        mov(gpr(at.rows.back()), ptr[args_ + offsetof(TileArgs, rows) + row * sizeof(float*)]);
    }
    at.limit = take_gpr("limit of k");
    mov(gpr(at.limit), ptr[args_ + offsetof(TileArgs, panel_stride)]);
    for (int panel = 0; panel < shape.panels; ++panel) {
        at.panels.push_back(take_gpr("panel"));
        const Xbyak::Reg64 pointer = gpr(at.panels.back());
        if (panel == 0) {
            mov(pointer, ptr[args_ + offsetof(TileArgs, panels)]);
        } else {
            lea(pointer, ptr[gpr(at.panels[static_cast<std::size_t>(panel - 1)]) + gpr(at.limit)]);
        }
    }
    at.k = take_gpr("k");
    xor_(gpr(at.k), gpr(at.k));
    mov(gpr(at.limit), ptr[args_ + offsetof(TileArgs, k)]);
    sub(gpr(at.limit), kUnroll - 1);
    emit_loop(shape, at, kUnroll, accumulators);
    add(gpr(at.limit), kUnroll - 1);
    emit_loop(shape, at, 1, accumulators);
}

void JitTile::emit_loop(const TileShape& shape, const Pointers& at, int unroll,
                        const std::vector<Lease>& accumulators) {
    Xbyak::Label body, end;
    cmp(gpr(at.k), gpr(at.limit));
    jge(end);
    align(16);
    L(body);
    for (int k = 0; k < unroll; ++k) emit_k(shape, at, k, accumulators);
    for (const Lease& panel : at.panels) add(gpr(panel), unroll * vectors_ * vector_bytes());
    add(gpr(at.k), unroll);
    cmp(gpr(at.k), gpr(at.limit));
    jl(body);
    L(end);
}

// The smaller side of the outer product is held in registers, the other streams through one; a
// single row takes its weights as memory operands.
void JitTile::emit_k(const TileShape& shape, const Pointers& at, int k,
                     const std::vector<Lease>& accumulators) {
    const int across = shape.panels * vectors_;
    const auto weight = [&](int i) {
        const Lease& panel = at.panels[static_cast<std::size_t>(i / vectors_)];
        return ptr[gpr(panel) + (k * vectors_ + i % vectors_) * vector_bytes()];
    };
    const auto value = [&](int row) {
        return dword[gpr(at.rows[static_cast<std::size_t>(row)]) + gpr(at.k) * 4 + k * 4];
    };
    const auto accumulator = [&](int row, int i) {
        return vmm(accumulators[static_cast<std::size_t>(row * across + i)]);
    };
    std::vector<Lease> held;
    const bool hold_rows = shape.rows <= across;
    for (int i = 0; i < (hold_rows ? shape.rows : across); ++i) {
        held.emplace_back(vector_pool_, "held operand");
        if (hold_rows) {
            vbroadcastss(vmm(held.back()), value(i));
        } else {
            vmovups(vmm(held.back()), weight(i));
        }
    }
    if (shape.rows == 1) {
        for (int i = 0; i < across; ++i) vfmadd231ps(accumulator(0, i), vmm(held[0]), weight(i));
        return;
    }
    const Lease streamed(vector_pool_, "streamed operand");
    for (int i = 0; i < (hold_rows ? across : shape.rows); ++i) {
        if (hold_rows) {
            vmovups(vmm(streamed), weight(i));
        } else {
            vbroadcastss(vmm(streamed), value(i));
        }
        for (std::size_t j = 0; j < held.size(); ++j) {
            const int other = static_cast<int>(j);
            vfmadd231ps(hold_rows ? accumulator(other, i) : accumulator(i, other), vmm(held[j]),
                        vmm(streamed));
        }
    }
}

}  // namespace rondo::cpu::jit
