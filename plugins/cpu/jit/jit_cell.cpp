#include "plugins/cpu/jit/jit_cell.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace rondo::cpu::jit {
namespace {

constexpr int kNone = CellPhase::kNone;

// suffix, vectors, first gate, apart, update
constexpr CellPhase kLstm[] = {{"", 4, 0, kNone, emit_lstm_update}};
constexpr CellPhase kGru[] = {{"_zr", 2, 0, kNone, emit_gru_gates_update},
                              {"_h", 1, 2, kNone, emit_gru_candidate_update}};
constexpr CellPhase kGruOfOneSum[] = {{"_z", 1, 0, kNone, emit_gru_gates_update},
                                      {"_h", 1, 1, kNone, emit_gru_candidate_update}};
constexpr CellPhase kGruLinear[] = {{"", 3, 0, 2, emit_gru_linear_update}};
constexpr CellPhase kRnn[] = {{"", 1, 0, kNone, emit_rnn_update}};

}  // namespace

std::span<const CellPhase> cell_phases(const CellConfig& config) {
    if (config.reset != ResetSum::own) return kGruOfOneSum;
    switch (config.kind) {
        case CellKind::lstm: return kLstm;
        case CellKind::gru: return kGru;
        case CellKind::gru_linear_before_reset: return kGruLinear;
        case CellKind::rnn: return kRnn;
    }
    return {};
}

CellCode::CellCode(Isa isa, const CellConfig& config, const CellPhase& phase,
                   const TileRequest& request)
    : JitBase(isa, std::string(ops::to_string(config.kind)) + phase.suffix + "_" +
                       cpu::name_of(isa) + "_" + cpu::name_of(config.weights) + "_i" +
                       std::to_string(config.input_size) + "_h" +
                       std::to_string(config.hidden_size)),
      config_(config),
      phase_(phase),
      math_(*this, config.weights) {
    functions_ = generate_tiles(*this, request, *this);
}

int CellCode::stack_bytes() const { return max_accumulators(isa()) * vector_bytes(); }

// Blocks of the projected gates hold all gates of the cell, whatever the tile multiplies.
void CellCode::emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int vector) {
    if (config_.weights.integers()) return vxorps(acc, acc, acc);
    if (vector != phase_.apart) {
        return vmovups(acc, ptr[start + projected_offset(panel, vector)]);
    }
    const Lease bias = take_gpr("recurrent bias");
    mov(gpr(bias), argument(offsetof(CellTileArgs, recurrent_bias)));
    vmovups(acc, ptr[gpr(bias) + panel * vector_bytes()]);
}

void CellCode::emit_between(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                            int vector) {
    vmovups(ptr[start + projected_offset(panel, vector)], acc);
    emit_start(acc, start, panel, vector);
}

void CellCode::emit_result(const TileShape& shape, int row,
                           const std::vector<Lease>& accumulators) {
    if (config_.weights.integers()) emit_scaling(shape, row, accumulators);
    const auto sums = static_cast<std::size_t>(shape.sums);
    int at = row * shape.panels * shape.vectors * vector_bytes();
    for (std::size_t i = 0; i < accumulators.size(); i += sums) {
        vmovups(ptr[rsp + at], vmm(accumulators[i]));
        at += vector_bytes();
    }
}

// Sums of integers become scale of R * (scale of the row * sum) + what chains of f32 start from.
void CellCode::emit_scaling(const TileShape& shape, int row,
                            const std::vector<Lease>& accumulators) {
    math_.emit_floats(shape, row,
                      {offsetof(CellTileArgs, row_scales), offsetof(CellTileArgs, row_zeros),
                       offsetof(CellTileArgs, weight_sums), projected_block_bytes()},
                      accumulators);
    const Lease start = take_gpr("start of a row"), scales = take_gpr("scales");
    const Lease bias = take_gpr("recurrent bias"), scale = take_vector("scale of R");
    const auto row_at = offsetof(TileArgs, start) + static_cast<std::size_t>(row) * sizeof(void*);
    mov(gpr(start), argument(row_at));
    mov(gpr(scales), argument(offsetof(CellTileArgs, scales)));
    mov(gpr(bias), argument(offsetof(CellTileArgs, recurrent_bias)));
    const auto sums = static_cast<std::size_t>(shape.sums);
    for (std::size_t i = 0; i < accumulators.size(); i += sums) {
        const int panel = static_cast<int>(i / sums) / shape.vectors;
        const int vector = static_cast<int>(i / sums) % shape.vectors;
        const int at = projected_offset(panel, vector);
        vmovups(vmm(scale), ptr[gpr(scales) + at]);
        vfmadd213ps(vmm(accumulators[i]), vmm(scale),
                    vector == phase_.apart ? ptr[gpr(bias) + panel * vector_bytes()]
                                           : ptr[gpr(start) + at]);
    }
}

void CellCode::emit_end(const TileShape&) { jmp(update_); }

void CellCode::emit_finish() {
    mov(at_.product, argument(offsetof(TileArgs, sums)));
    jmp(update_of_sums_);
}

int CellCode::row_bytes() const {
    const auto lanes = static_cast<std::int64_t>(math_.scalars());
    return static_cast<int>((config_.hidden_size + lanes - 1) / lanes) * vector_bytes();
}

void CellCode::emit_shared() {
    align(16);
    L(update_);
    mov(at_.product, rsp);
    L(update_of_sums_);
    constants_.load_base(*this, at_.base);
    prepare_tail_mask();
    xor_(at_.row, at_.row);
    mov(at_.y_next, argument(offsetof(CellTileArgs, y)));
    lea(at_.start_next, argument(offsetof(TileArgs, start)));
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
    emit_y_of_row(at_.y_second);
    emit_bundle({2, true, row_bytes(), gates_of(config_) * row_bytes(), 0});
    add(at_.product, 2 * phase_.vectors * vector_bytes());
    add(at_.row, 2 * row_bytes());
    add(at_.start_next, 2 * sizeof(void*));
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
    add(at_.row, row_bytes());
    add(at_.start_next, sizeof(void*));
    dec(qword[args_ + offsetof(CellTileArgs, row_count)]);
    jnz(next_row);
}

void CellCode::emit_row_begin() {
    mov(at_.offset, at_.row);
    mov(at_.left, argument(offsetof(CellTileArgs, panel_count)));
    mov(at_.units, argument(offsetof(CellTileArgs, units)));
    mov(at_.peephole, argument(offsetof(CellTileArgs, peephole)));
    mov(at_.projected, ptr[at_.start_next]);
    emit_y_of_row(at_.y_row);
}

// 0 where Y is not wanted.
void CellCode::emit_y_of_row(const Xbyak::Reg64& y) {
    Xbyak::Label no_y;
    xor_(y, y);
    test(at_.y_next, at_.y_next);
    jz(no_y);
    mov(y, ptr[at_.y_next]);
    add(at_.y_next, sizeof(void*));
    L(no_y);
}

void CellCode::emit_blocks() {
    Xbyak::Label next_pair, single, next_block, end;
    if (pairs()) {
        L(next_pair);
        cmp(at_.left, 2);
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
    VectorOps ops(*this, isa(), vector_pool_, constants_, at_.base, math_.precision());
    BundleOps bundles(ops, place.width);
    phase_.emit_update(*this, bundles);
}

// Sets the zero flag where no block is left.
void CellCode::advance_blocks(int blocks) {
    Xbyak::Label no_y;
    add(at_.product, blocks * phase_.vectors * vector_bytes());
    add(at_.offset, blocks * vector_bytes());
    add(at_.projected, blocks * projected_block_bytes());
    if (config_.peephole) add(at_.peephole, blocks * 3 * vector_bytes());
    test(at_.y_row, at_.y_row);
    jz(no_y);
    add(at_.y_row, blocks * vector_bytes());
    L(no_y);
    sub(at_.units, blocks * math_.scalars());
    sub(at_.left, blocks);
}

Bundle CellCode::product(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[at_.product + (index + i * phase_.vectors) * vector_bytes()]);
    }
    return result;
}

Bundle CellCode::state(BundleOps& ops, std::size_t offset) {
    mov(at_.temp, argument(offset));
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            ops.single().load(Vec(ptr[at_.temp + at_.offset + i * place_.state]));
    }
    return result;
}

void CellCode::store_state(std::size_t offset, const Bundle& value) {
    mov(at_.temp, argument(offset));
    for (int i = 0; i < place_.width; ++i) {
        vmovups(ptr[at_.temp + at_.offset + i * place_.state],
                vmm(value[static_cast<std::size_t>(i)].index()));
    }
}

Bundle CellCode::projected(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[at_.projected + index * vector_bytes() + i * place_.projected]);
    }
    return result;
}

Bundle CellCode::peephole(int index) {
    Bundle result;
    for (int i = 0; i < place_.width; ++i) {
        result[static_cast<std::size_t>(i)] =
            Vec(ptr[at_.peephole + index * vector_bytes() + i * place_.peephole]);
    }
    return result;
}

void CellCode::store_hidden(const Bundle& value) {
    store_state(offsetof(CellTileArgs, h_next), value);
    Xbyak::Label done;
    test(at_.y_row, at_.y_row);
    jz(done);
    store_y(value[0], at_.y_row, 0, 0);
    if (place_.width == 2 && place_.next_row) store_y(value[1], at_.y_second, 0, 0);
    if (place_.width == 2 && !place_.next_row) {
        store_y(value[1], at_.y_row, vector_bytes(), math_.scalars());
    }
    L(done);
}

// `units_before`: how many units of the bundle come before the vector's first one.
void CellCode::store_y(const Vec& value, const Xbyak::Reg64& y, int displacement,
                       int units_before) {
    Xbyak::Label done, tail;
    const Xbyak::Address to = ptr[y + displacement];
    const bool may_be_tail = config_.hidden_size % math_.scalars() != 0;
    if (may_be_tail) {
        cmp(at_.units, units_before + math_.scalars());
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
    const auto tail = config_.hidden_size % math_.scalars();
    if (tail == 0 || isa() != Isa::avx512) return;
    mov(at_.temp, (1 << tail) - 1);
    kmovd(at_.tail_mask, Xbyak::Reg32(at_.temp.getIdx()));
}

void CellCode::store_y_tail(const Vec& value, const Xbyak::Address& to) {
    const bool f64 = math_.precision() == Precision::f64;
    if (isa() == Isa::avx512) {
        f64 ? vmovupd(to | at_.tail_mask, vmm(value.index()))
            : vmovups(to | at_.tail_mask, vmm(value.index()));
        return;
    }
    const int words = math_.scalar_bytes() / 4;
    const auto kept = static_cast<std::size_t>(config_.hidden_size % math_.scalars() * words);
    std::vector<std::uint32_t> mask_words(static_cast<std::size_t>(math_.scalars() * words), 0u);
    std::fill_n(mask_words.begin(), kept, 0xffffffffu);
    const Lease mask(vector_pool_, "mask of the last units");
    vmovups(vmm(mask), constants_.vector_address(at_.base, mask_words));
    f64 ? vmaskmovpd(to, vmm(mask), vmm(value.index()))
        : vmaskmovps(to, vmm(mask), vmm(value.index()));
}

}  // namespace rondo::cpu::jit
