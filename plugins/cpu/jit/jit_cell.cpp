#include "plugins/cpu/jit/jit_cell.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace rondo::cpu::jit {

CellCode::CellCode(Isa isa, const CellConfig& config, const char* part, int vectors,
                   bool first_phase)
    : JitTile(isa, config.weights,
              std::string(name_of(config.kind)) + part + "_" + name_of(isa) + "_" +
                  weights_suffix(config.weights) + "_h" + std::to_string(config.hidden_size),
              vectors, first_phase),
      config_(config) {}

int CellCode::stack_bytes() const { return (isa() == Isa::avx512 ? 24 : 12) * vector_bytes(); }

// Blocks of the projected gates hold all gates of the cell, whatever the tile multiplies.
void CellCode::emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int vector) {
    vmovups(acc, ptr[start + panel * projected_block_bytes() + vector * vector_bytes()]);
}

void CellCode::emit_result(const TileShape& shape, int row,
                           const std::vector<Lease>& accumulators) {
    int at = row * shape.panels * shape.vectors * vector_bytes();
    for (const Lease& accumulator : accumulators) {
        vmovups(ptr[rsp + at], vmm(accumulator));
        at += vector_bytes();
    }
}

void CellCode::emit_end(const TileShape&) { jmp(update_); }

void CellCode::emit_shared() {
    align(16);
    L(update_);
    constants_.load_base(*this, base_);
    prepare_tail_mask();
    mov(product_, rsp);
    xor_(row_, row_);
    mov(y_next_, member(offsetof(CellTileArgs, y)));
    lea(start_next_, member(offsetof(TileArgs, start)));
    Xbyak::Label next_row;
    L(next_row);
    emit_row_begin();
    emit_blocks();
    emit_row_end();
    dec(qword[args_ + offsetof(CellTileArgs, row_count)]);
    jnz(next_row);
    emit_exit();
}

void CellCode::emit_row_begin() {
    Xbyak::Label no_y;
    mov(offset_, row_);
    mov(left_, member(offsetof(CellTileArgs, panel_count)));
    mov(units_, member(offsetof(CellTileArgs, units)));
    mov(peephole_, member(offsetof(CellTileArgs, peephole)));
    mov(projected_, ptr[start_next_]);
    xor_(y_row_, y_row_);
    test(y_next_, y_next_);
    jz(no_y);
    mov(y_row_, ptr[y_next_]);
    add(y_next_, sizeof(void*));
    L(no_y);
}

void CellCode::emit_blocks() {
    Xbyak::Label next_block;
    VectorOps ops(*this, isa(), vector_pool_, constants_, base_, precision());
    L(next_block);
    emit_update(ops);
    add(product_, vectors_ * vector_bytes());
    add(offset_, vector_bytes());
    add(projected_, projected_block_bytes());
    if (config_.peephole) add(peephole_, 3 * vector_bytes());
    sub(units_, scalars());
    dec(left_);
    jnz(next_block);
}

void CellCode::emit_row_end() {
    add(row_, member(offsetof(CellTileArgs, state_stride)));
    add(start_next_, sizeof(void*));
}

Vec CellCode::product(int index) { return Vec(ptr[product_ + index * vector_bytes()]); }

Vec CellCode::state(VectorOps& ops, std::size_t offset) {
    mov(temp_, member(offset));
    return ops.load(Vec(ptr[temp_ + offset_]));
}

void CellCode::store_state(std::size_t offset, const Vec& value) {
    mov(temp_, member(offset));
    vmovups(ptr[temp_ + offset_], vmm(value.index()));
}

Vec CellCode::projected(int index) { return Vec(ptr[projected_ + index * vector_bytes()]); }

Vec CellCode::peephole(int index) { return Vec(ptr[peephole_ + index * vector_bytes()]); }

void CellCode::store_hidden(const Vec& value) {
    store_state(offsetof(CellTileArgs, h_next), value);
    Xbyak::Label done, tail;
    test(y_row_, y_row_);
    jz(done);
    const bool has_tail = config_.hidden_size % scalars() != 0;
    if (has_tail) {
        cmp(units_, scalars());
        jl(tail);
    }
    vmovups(ptr[y_row_], vmm(value.index()));
    add(y_row_, vector_bytes());
    if (has_tail) {
        jmp(done);
        L(tail);
        store_y_tail(value);
    }
    L(done);
}

void CellCode::prepare_tail_mask() {
    const auto tail = config_.hidden_size % scalars();
    if (tail == 0 || isa() != Isa::avx512) return;
    mov(temp_, (1 << tail) - 1);
    kmovd(tail_mask_, Xbyak::Reg32(temp_.getIdx()));
}

void CellCode::store_y_tail(const Vec& value) {
    const bool f64 = precision() == Precision::f64;
    const Xbyak::Address to = ptr[y_row_];
    if (isa() == Isa::avx512) {
        f64 ? vmovupd(to | tail_mask_, vmm(value.index()))
            : vmovups(to | tail_mask_, vmm(value.index()));
        return;
    }
    const int words = scalar_bytes() / 4;
    const auto kept = static_cast<std::size_t>(config_.hidden_size % scalars() * words);
    std::vector<std::uint32_t> mask_words(static_cast<std::size_t>(scalars() * words), 0u);
    std::fill_n(mask_words.begin(), kept, 0xffffffffu);
    const Lease mask(vector_pool_, "mask of the last units");
    vmovups(vmm(mask), constants_.vector_address(base_, mask_words));
    f64 ? vmaskmovpd(to, vmm(mask), vmm(value.index()))
        : vmaskmovps(to, vmm(mask), vmm(value.index()));
}

}  // namespace rondo::cpu::jit
