#include "plugins/cpu/jit/jit_tile.hpp"

#include <cstddef>
#include <utility>

namespace rondo::cpu::jit {
namespace {

constexpr int kUnroll = 4;  // steps of k in the main loop

// It takes 16 registers beside those of the tile, and operands that are broadcast from memory.
bool can_have_side(Isa isa, ElementType weights) {
    return isa == Isa::avx512 && weights == ElementType::f32;
}

}  // namespace

// Registers of the loop over k.
struct JitTile::Pointers {
    std::vector<Lease> rows;
    std::vector<Lease> panels;
    Lease k;      // index of the step
    Lease limit;  // loop while k < limit
    Lease prefetched;
    bool inputs = false;  // of the product of inputs, whose panels all follow from one pointer

    // On the side: its panels, its rows 0 and 4, once and three times the stride; sums.
    Lease side_panels[kSidePanels], side_row_0, side_row_4, side_stride, side_stride_3;
    std::vector<Lease> side_sums;  // [row][panel]
};

JitTile::JitTile(Isa isa, ElementType weights, std::string name, int vectors, bool with_side)
    : JitBase(isa, std::move(name)),
      vectors_(vectors),
      weights_(weights),
      with_side_(with_side && can_have_side(isa, weights)) {}

void JitTile::generate() {
    struct Entry {
        Xbyak::Label label;
        Function* function;
    };
    std::vector<Entry> entries;
    const auto emit = [&](const TileShape& shape, Side side, Function& function,
                          bool joint = false) {
        align(16);
        entries.push_back({Xbyak::Label(), &function});
        L(entries.back().label);
        emit_tile(shape, side, joint);
    };
    for (int rows = 1; rows <= max_tile_rows(isa(), vectors_); ++rows) {
        for (int panels = 1; panels <= kMaxTilePanels; ++panels) {
            const TileShape shape{rows, panels, vectors_};
            if (!is_tile(isa(), shape)) continue;
            emit(shape, Side::without, functions_[rows][panels]);
            const bool few = rows <= kMostJointRows && panels <= max_joint_panels(vectors_);
            if (inputs_.k == 0 || !few) continue;
            emit(shape, Side::without, joint_functions_[rows][panels], true);
        }
    }
    for (int panels = 1; with_side_ && panels <= kMaxSidePanels; ++panels) {
        emit({1, panels, vectors_}, Side::with, side_functions_[panels]);
    }
    emit_shared();
    finish();
    for (const Entry& entry : entries) {
        *entry.function =
            reinterpret_cast<Function>(const_cast<std::uint8_t*>(entry.label.getAddress()));
    }
}

void JitTile::emit_tile(const TileShape& shape, Side side, bool joint) {
    emit_entry(stack_bytes());
    {
        std::vector<Lease> accumulators;
        for (int i = 0; i < shape.accumulators(); ++i) {
            accumulators.emplace_back(vector_pool_, "accumulator");
        }
        if (joint) {
            emit_inputs(shape, accumulators);
        } else {
            for_each_start(shape, accumulators, [&](auto... start) { emit_start(start...); });
        }
        emit_products(shape, accumulators, side);
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

// Calls emit(accumulator, start of its row, panel, vector) for all.
template <typename Emit>
void JitTile::for_each_start(const TileShape& shape, const std::vector<Lease>& accumulators,
                             Emit emit) {
    const Lease start = take_gpr("start of a row");
    std::size_t next = 0;
    for (int row = 0; row < shape.rows; ++row) {
        mov(gpr(start), ptr[args_ + offsetof(TileArgs, start) + row * sizeof(void*)]);
        for (int panel = 0; panel < shape.panels; ++panel) {
            for (int vector = 0; vector < vectors_; ++vector) {
                emit(vmm(accumulators[next++]), gpr(start), panel, vector);
            }
        }
    }
}

// The product of inputs, up to where the tile's own starts.
void JitTile::emit_inputs(const TileShape& shape, const std::vector<Lease>& accumulators) {
    const auto input = [this](std::size_t member) {
        return ptr[args_ + offsetof(TileArgs, input) + member];
    };
    Pointers at;
    at.inputs = true;
    at.panels.push_back(take_gpr("panels of inputs"));
    mov(gpr(at.panels[0]), input(offsetof(InputTileArgs, start)));
    const int across = shape.panels * vectors_;
    for (int i = 0; i < shape.accumulators(); ++i) {
        const int vector = i % across / vectors_ * inputs_.stride + i % vectors_;
        vmovups(vmm(accumulators[static_cast<std::size_t>(i)]),
                ptr[gpr(at.panels[0]) + vector * vector_bytes()]);
    }
    mov(gpr(at.panels[0]), input(offsetof(InputTileArgs, panels)));
    for (int row = 0; row < shape.rows; ++row) {
        at.rows.push_back(take_gpr("row of inputs"));
        mov(gpr(at.rows.back()), input(offsetof(InputTileArgs, rows) + row * sizeof(void*)));
    }
    at.k = take_gpr("k");
    at.limit = take_gpr("limit of k");
    xor_(gpr(at.k), gpr(at.k));
    mov(gpr(at.limit), inputs_.k);
    emit_loops(shape, at, Side::without, accumulators);
    bool any_parts = false;
    for (int vector = 0; vector < vectors_; ++vector) any_parts |= parts(vector);
    if (!any_parts) return;
    for_each_start(shape, accumulators,
                   [&](const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int vector) {
                       if (parts(vector)) emit_between(acc, start, panel, vector);
                   });
}

void JitTile::emit_products(const TileShape& shape, const std::vector<Lease>& accumulators,
                            Side side) {
    Pointers at;
    emit_pointers(shape, at);
    if (side == Side::with) emit_side_starts(at);
    at.k = take_gpr("k");
    xor_(gpr(at.k), gpr(at.k));
    if (side == Side::with) {
        // Both while both last, then what is left of either.
        mov(gpr(at.limit), ptr[args_ + offsetof(TileArgs, k)]);
        cmp(gpr(at.limit), ptr[args_ + offsetof(TileArgs, side) + offsetof(SideTileArgs, k)]);
        cmovg(gpr(at.limit), ptr[args_ + offsetof(TileArgs, side) + offsetof(SideTileArgs, k)]);
        emit_loops(shape, at, Side::with, accumulators);
    }
    mov(gpr(at.limit), ptr[args_ + offsetof(TileArgs, k)]);
    emit_loops(shape, at, Side::without, accumulators);
    if (side == Side::with) {
        mov(gpr(at.limit), ptr[args_ + offsetof(TileArgs, side) + offsetof(SideTileArgs, k)]);
        emit_loops(shape, at, Side::alone, accumulators);
        emit_side_results(at);
    }
}

void JitTile::emit_pointers(const TileShape& shape, Pointers& at) {
    for (int row = 0; row < shape.rows; ++row) {
        at.rows.push_back(take_gpr("row"));
        mov(gpr(at.rows.back()), ptr[args_ + offsetof(TileArgs, rows) + row * sizeof(void*)]);
    }
    if (prefetches(shape)) {
        at.prefetched = take_gpr("prefetched");
        mov(gpr(at.prefetched), ptr[args_ + offsetof(TileArgs, prefetched)]);
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
}

// From k to the limit: most steps in groups, the rest one by one.
void JitTile::emit_loops(const TileShape& shape, const Pointers& at, Side side,
                         const std::vector<Lease>& accumulators) {
    sub(gpr(at.limit), kUnroll - 1);
    emit_loop(shape, at, side, kUnroll, accumulators);
    add(gpr(at.limit), kUnroll - 1);
    emit_loop(shape, at, side, 1, accumulators);
}

void JitTile::emit_loop(const TileShape& shape, const Pointers& at, Side side, int unroll,
                        const std::vector<Lease>& accumulators) {
    Xbyak::Label body, end;
    cmp(gpr(at.k), gpr(at.limit));
    jge(end);
    align(16);
    L(body);
    for (int k = 0; k < unroll; ++k) {
        if (side != Side::alone) emit_k(shape, at, k, accumulators);
        if (side != Side::without) emit_side_k(at, k);
        if (at.prefetched.holds()) emit_prefetch(at, k);
    }
    if (at.prefetched.holds()) add(gpr(at.prefetched), unroll * kPrefetchedBytes);
    if (side != Side::alone) {
        const int vectors = at.inputs ? 1 : vectors_;
        for (const Lease& panel : at.panels) {
            add(gpr(panel), unroll * vectors * panel_vector_bytes());
        }
    }
    if (side != Side::without) {
        for (const Lease& panel : at.side_panels) add(gpr(panel), unroll * vector_bytes());
        add(gpr(at.side_row_0), unroll * scalar_bytes());
        add(gpr(at.side_row_4), unroll * scalar_bytes());
    }
    add(gpr(at.k), unroll);
    cmp(gpr(at.k), gpr(at.limit));
    jl(body);
    L(end);
}

// Into the second-level cache.
void JitTile::emit_prefetch(const Pointers& at, int k) {
    for (int line = 0; line < kPrefetchedBytes; line += static_cast<int>(kCacheLine)) {
        prefetcht1(ptr[gpr(at.prefetched) + k * kPrefetchedBytes + line]);
    }
}

void JitTile::emit_side_starts(Pointers& at) {
    const auto load = [this](Lease& to, const char* role, std::size_t member) {
        to = take_gpr(role);
        mov(gpr(to), ptr[args_ + offsetof(TileArgs, side) + member]);
    };
    load(at.side_row_0, "start on the side", offsetof(SideTileArgs, start));
    for (int sum = 0; sum < kSideRows * kSidePanels; ++sum) {
        at.side_sums.emplace_back(vector_pool_, "sum on the side");
        vmovups(vmm(at.side_sums.back()),
                ptr[gpr(at.side_row_0) + sum % kSidePanels * vector_bytes()]);
    }
    load(at.side_panels[0], "panel on the side", offsetof(SideTileArgs, panel));
    load(at.side_panels[1], "panel on the side", offsetof(SideTileArgs, panel_stride));
    add(gpr(at.side_panels[1]), gpr(at.side_panels[0]));
    at.side_row_0 = Lease();
    load(at.side_row_0, "row on the side", offsetof(SideTileArgs, rows));
    load(at.side_stride, "stride on the side", offsetof(SideTileArgs, row_stride));
    at.side_row_4 = take_gpr("row 4 on the side");
    at.side_stride_3 = take_gpr("three strides on the side");
    lea(gpr(at.side_row_4), ptr[gpr(at.side_row_0) + gpr(at.side_stride) * 4]);
    lea(gpr(at.side_stride_3), ptr[gpr(at.side_stride) + gpr(at.side_stride) * 2]);
}

Xbyak::RegExp JitTile::side_row(const Pointers& at, int row) const {
    const Xbyak::Reg64 first = gpr(row < 4 ? at.side_row_0 : at.side_row_4);
    switch (row % 4) {
        case 0: return Xbyak::RegExp(first);
        case 1: return first + gpr(at.side_stride);
        case 2: return first + gpr(at.side_stride) * 2;
        default: return first + gpr(at.side_stride_3);
    }
}

void JitTile::emit_side_k(const Pointers& at, int k) {
    std::vector<Lease> weights;
    for (const Lease& panel : at.side_panels) {
        weights.emplace_back(vector_pool_, "weight on the side");
        vmovups(vmm(weights.back()), ptr[gpr(panel) + k * vector_bytes()]);
    }
    const Lease value(vector_pool_, "value on the side");
    std::size_t sum = 0;
    for (int row = 0; row < kSideRows; ++row) {
        emit_broadcast(vmm(value), ptr[side_row(at, row) + k * scalar_bytes()]);
        for (const Lease& weight : weights) {
            emit_fma(vmm(at.side_sums[sum++]), vmm(value), vmm(weight));
        }
    }
}

void JitTile::emit_side_results(const Pointers& at) {
    const Xbyak::Reg64 out = gpr(at.side_panels[0]), stride = gpr(at.side_stride);
    mov(out, ptr[args_ + offsetof(TileArgs, side) + offsetof(SideTileArgs, out)]);
    mov(stride, ptr[args_ + offsetof(TileArgs, side) + offsetof(SideTileArgs, out_stride)]);
    std::size_t sum = 0;
    for (int row = 0; row < kSideRows; ++row) {
        for (int panel = 0; panel < kSidePanels; ++panel) {
            vmovups(ptr[out + panel * vector_bytes()], vmm(at.side_sums[sum++]));
        }
        add(out, stride);
    }
}

void JitTile::emit_broadcast(const Xbyak::Xmm& to, const Xbyak::Address& scalar) {
    if (precision() == Precision::f32) return vbroadcastss(to, scalar);
    isa() == Isa::avx512 ? vbroadcastsd(Xbyak::Zmm(to.getIdx()), scalar)
                         : vbroadcastsd(Xbyak::Ymm(to.getIdx()), scalar);
}

// bf16 is the upper half of an f32.
void JitTile::emit_load_weights(const Xbyak::Xmm& to, const Xbyak::Address& weights) {
    constexpr int kLowerHalf = 16;
    switch (weights_) {
        case ElementType::f16: return vcvtph2ps(to, weights);
        case ElementType::bf16: vpmovzxwd(to, weights); return vpslld(to, to, kLowerHalf);
        default: return vmovups(to, weights);
    }
}

void JitTile::emit_fma(const Xbyak::Xmm& sum, const Xbyak::Xmm& a, const Xbyak::Operand& b) {
    precision() == Precision::f64 ? vfmadd231pd(sum, a, b) : vfmadd231ps(sum, a, b);
}

// The smaller side of the outer product is held in registers, the other streams through one; a
// single row takes its weights as memory operands, where these need no widening.
void JitTile::emit_k(const TileShape& shape, const Pointers& at, int k,
                     const std::vector<Lease>& accumulators) {
    const int across = shape.panels * vectors_;
    const auto load_weight = [&](const Lease& to, int i) {
        emit_load_weights(vmm(to), weight(at, k, i));
    };
    const auto load_value = [&](const Lease& to, int row) {
        emit_broadcast(vmm(to), value(at, k, row));
    };
    const auto accumulator = [&](int row, int i) {
        return vmm(accumulators[static_cast<std::size_t>(row * across + i)]);
    };
    std::vector<Lease> held;
    const bool hold_rows = shape.rows <= across;
    for (int i = 0; i < (hold_rows ? shape.rows : across); ++i) {
        held.emplace_back(vector_pool_, "held operand");
        hold_rows ? load_value(held.back(), i) : load_weight(held.back(), i);
    }
    if (shape.rows == 1 && !widens()) {
        for (int i = 0; i < across; ++i)
            emit_fma(accumulator(0, i), vmm(held[0]), weight(at, k, i));
        return;
    }
    const Lease streamed(vector_pool_, "streamed operand");
    for (int i = 0; i < (hold_rows ? across : shape.rows); ++i) {
        hold_rows ? load_weight(streamed, i) : load_value(streamed, i);
        for (std::size_t j = 0; j < held.size(); ++j) {
            const int other = static_cast<int>(j);
            emit_fma(hold_rows ? accumulator(other, i) : accumulator(i, other), vmm(held[j]),
                     vmm(streamed));
        }
    }
}

// Vector `i` of step k, counted over the panels.
Xbyak::Address JitTile::weight(const Pointers& at, int k, int i) const {
    if (at.inputs) {
        const std::int64_t panel = i / vectors_ * inputs_.stride + i % vectors_;
        const std::int64_t vector = panel * inputs_.k + k;
        return ptr[gpr(at.panels[0]) + static_cast<int>(vector * panel_vector_bytes())];
    }
    const Lease& panel = at.panels[static_cast<std::size_t>(i / vectors_)];
    return ptr[gpr(panel) + (k * vectors_ + i % vectors_) * panel_vector_bytes()];
}

Xbyak::Address JitTile::value(const Pointers& at, int k, int row) const {
    const Xbyak::Reg64 first = gpr(at.rows[static_cast<std::size_t>(row)]);
    return ptr[first + gpr(at.k) * scalar_bytes() + k * scalar_bytes()];
}

}  // namespace rondo::cpu::jit
