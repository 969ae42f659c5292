#include "plugins/cpu/jit/jit_cell.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace rondo::cpu::jit {

CellCode::CellCode(Isa isa, const CellConfig& config, const char* part, int vectors,
                   bool first_phase)
    : JitTile(isa, config.weights,
              std::string(name_of(config.kind)) + part + "_" + name_of(isa) + "_" +
                  weights_suffix(config.weights) + "_i" + std::to_string(config.input_size) + "_h" +
                  std::to_string(config.hidden_size),
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

int CellCode::row_bytes() const {
    const auto lanes = static_cast<std::int64_t>(scalars());
    return static_cast<int>((config_.hidden_size + lanes - 1) / lanes) * vector_bytes();
}

void CellCode::emit_shared() {
    align(16);
    L(update_);
    constants_.load_base(*this, base_);
    prepare_tail_mask();
    mov(product_, rsp);
    xor_(row_, row_);
    mov(y_next_, member(offsetof(CellTileArgs, y)));
    lea(start_next_, member(offsetof(TileArgs, start)));
    if (pairs()) emit_pairs_of_rows();
    emit_rows();
    emit_exit();
}

// Tiles of one block and several rows: what is left for emit_rows() is one row at most.
void CellCode::emit_pairs_of_rows() {
    Xbyak::Label next_pair, all_rows, done;
    cmp(qword[args_ + offsetof(CellTileArgs, panel_count)], 1);
    jne(all_rows);
    cmp(qword[args_ + offsetof(CellTileArgs, row_count)], 2);
    jl(all_rows);
    L(next_pair);
    emit_row_begin();
    emit_y_of_row(y_second_);
    emit_bundle({2, true, row_bytes(), gates_of(config_.kind) * row_bytes(), 0});
    add(product_, 2 * vectors_ * vector_bytes());
    add(row_, 2 * row_bytes());
    add(start_next_, 2 * sizeof(void*));
    sub(qword[args_ + offsetof(CellTileArgs, row_count)], 2);
    cmp(qword[args_ + offsetof(CellTileArgs, row_count)], 2);
    jge(next_pair);
    cmp(qword[args_ + offsetof(CellTileArgs, row_count)], 0);
    jne(all_rows);
    emit_exit();
    L(all_rows);
}

void CellCode::emit_rows() {
    Xbyak::Label next_row;
    L(next_row);
    emit_row_begin();
    emit_blocks();
    add(row_, row_bytes());
    add(start_next_, sizeof(void*));
    dec(qword[args_ + offsetof(CellTileArgs, row_count)]);
    jnz(next_row);
}

void CellCode::emit_row_begin() {
    mov(offset_, row_);
    mov(left_, member(offsetof(CellTileArgs, panel_count)));
    mov(units_, member(offsetof(CellTileArgs, units)));
    mov(peephole_, member(offsetof(CellTileArgs, peephole)));
    mov(projected_, ptr[start_next_]);
    emit_y_of_row(y_row_);
}

// 0 where Y is not wanted.
void CellCode::emit_y_of_row(const Xbyak::Reg64& y) {
    Xbyak::Label no_y;
    xor_(y, y);
    test(y_next_, y_next_);
    jz(no_y);
    mov(y, ptr[y_next_]);
    add(y_next_, sizeof(void*));
    L(no_y);
}

void CellCode::emit_blocks() {
    Xbyak::Label next_pair, single, next_block, end;
    if (pairs()) {
        L(next_pair);
        cmp(left_, 2);
        jl(single);
        emit_bundle({2, false, vector_bytes(), projected_block_bytes(), 3 * vector_bytes()});
        advance_blocks(2);
        jnz(next_pair);
        jmp(end);
        L(single);
    }
    L(next_block);
    emit_bundle({});
    advance_blocks(1);
    jnz(next_block);
    L(end);
}

void CellCode::emit_bundle(const BundlePlace& place) {
    place_ = place;
    VectorOps ops(*this, isa(), vector_pool_, constants_, base_, precision());
    BundleOps bundles(ops, place.width);
    emit_update(bundles);
}

// Sets the zero flag where no block is left.
void CellCode::advance_blocks(int blocks) {
    Xbyak::Label no_y;
    add(product_, blocks * vectors_ * vector_bytes());
    add(offset_, blocks * vector_bytes());
    add(projected_, blocks * projected_block_bytes());
    if (config_.peephole) add(peephole_, blocks * 3 * vector_bytes());
    test(y_row_, y_row_);
    jz(no_y);
    add(y_row_, blocks * vector_bytes());
    L(no_y);
    sub(units_, blocks * scalars());
    sub(left_, blocks);
}

Bundle CellCode::product(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[product_ + (index + i * vectors_) * vector_bytes()]);
    }
    return result;
}

Bundle CellCode::state(BundleOps& ops, std::size_t offset) {
    mov(temp_, member(offset));
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            ops.single().load(Vec(ptr[temp_ + offset_ + i * place_.state]));
    }
    return result;
}

void CellCode::store_state(std::size_t offset, const Bundle& value) {
    mov(temp_, member(offset));
    for (int i = 0; i < place_.width; ++i) {
        vmovups(ptr[temp_ + offset_ + i * place_.state],
                vmm(value[static_cast<std::size_t>(i)].index()));
    }
}

Bundle CellCode::projected(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[projected_ + index * vector_bytes() + i * place_.projected]);
    }
    return result;
}

Bundle CellCode::peephole(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[peephole_ + index * vector_bytes() + i * place_.peephole]);
    }
    return result;
}

void CellCode::store_hidden(const Bundle& value) {
    store_state(offsetof(CellTileArgs, h_next), value);
    Xbyak::Label done;
    test(y_row_, y_row_);
    jz(done);
    store_y(value[0], y_row_, 0, 0);
    if (place_.width == 2 && place_.next_row) store_y(value[1], y_second_, 0, 0);
    if (place_.width == 2 && !place_.next_row) {
        store_y(value[1], y_row_, vector_bytes(), scalars());
    }
    L(done);
}

// `units_before`: how many units the vector is behind the bundle's first.
void CellCode::store_y(const Vec& value, const Xbyak::Reg64& y, int displacement,
                       int units_before) {
    Xbyak::Label done, tail;
    const Xbyak::Address to = ptr[y + displacement];
    const bool may_be_tail = config_.hidden_size % scalars() != 0;
    if (may_be_tail) {
        cmp(units_, units_before + scalars());
        jl(tail);
    }
    vmovups(to, vmm(value.index()));
    if (!may_be_tail) return;
    jmp(done);
    L(tail);
    store_y_tail(value, to);
    L(done);
}

void CellCode::prepare_tail_mask() {
    const auto tail = config_.hidden_size % scalars();
    if (tail == 0 || isa() != Isa::avx512) return;
    mov(temp_, (1 << tail) - 1);
    kmovd(tail_mask_, Xbyak::Reg32(temp_.getIdx()));
}

void CellCode::store_y_tail(const Vec& value, const Xbyak::Address& to) {
    const bool f64 = precision() == Precision::f64;
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
