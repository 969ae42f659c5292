#include "plugins/cpu/jit/product_loop.hpp"

#include <algorithm>
#include <cstddef>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kUnroll = 4;  // steps of k in the main loop

void emit_loop(JitBase& code, const Xbyak::Reg64& k, const Xbyak::Reg64& limit, int unroll,
               std::initializer_list<LoopProduct*> products) {
    Xbyak::Label body, end;
    code.cmp(k, limit);
    code.jge(end);
    code.align(16);
    code.L(body);
    for (int offset = 0; offset < unroll; ++offset) {
        for (LoopProduct* product : products) product->emit_step(k, offset);
    }
    for (LoopProduct* product : products) product->emit_advance(unroll);
    code.add(k, unroll);
    code.cmp(k, limit);
    code.jl(body);
    code.L(end);
}

}  // namespace

void emit_product_loop(JitBase& code, const Xbyak::Reg64& k, const Xbyak::Reg64& limit,
                       std::initializer_list<LoopProduct*> products) {
    code.sub(limit, kUnroll - 1);
    emit_loop(code, k, limit, kUnroll, products);
    code.add(limit, kUnroll - 1);
    emit_loop(code, k, limit, 1, products);
}

void TileProduct::take_rows(const char* role, std::size_t offset) {
    for (int row = 0; row < shape_.rows; ++row) {
        rows_.push_back(code_.take_gpr(role));
        const auto at = offset + static_cast<std::size_t>(row) * sizeof(void*);
        code_.mov(JitBase::gpr(rows_.back()), code_.argument(at));
    }
}

Xbyak::Xmm TileProduct::accumulator(int value, int i) const {
    const int row_planes = math_.format().row_planes();
    const int weight_planes = math_.format().weight_planes();
    const int row = value / row_planes, vector = i / weight_planes;
    const int sum = value % row_planes + i % weight_planes;
    const int place = (row * shape_.panels * shape_.vectors + vector) * shape_.sums + sum;
    return code_.vmm(accumulators_[static_cast<std::size_t>(place)]);
}

Xbyak::Address TileProduct::value(const Xbyak::Reg64& k, int offset, int index) const {
    const int planes = math_.format().row_planes();
    const Xbyak::Reg64 first = JitBase::gpr(rows_[static_cast<std::size_t>(index / planes)]);
    const int bytes = math_.value_bytes() * planes;
    return Xbyak::util::ptr[first + k * bytes + offset * bytes +
                            index % planes * math_.value_bytes()];
}

// The smaller side of the outer product is held in registers, the other streams through one. A
// single value takes its weights as memory operands, where these need no widening.
void TileProduct::emit_step(const Xbyak::Reg64& k, int offset) {
    const auto load_weight = [&](const Lease& to, int i) {
        math_.load_weights(code_.vmm(to), weight(offset, i));
    };
    const auto load_value = [&](const Lease& to, int index) {
        math_.broadcast(code_.vmm(to), value(k, offset, index));
    };
    if (math_.format().chains_pairs()) return emit_pairs(k, offset);
    // AVX2 has no register for all of one side.
    const bool is_short = math_.format().integers() && code_.isa() == Isa::avx2;
    if (math_.adds_apart() || is_short) return emit_apart(k, offset);
    std::vector<Lease> held;
    const bool hold_values = values() <= across();
    for (int i = 0; i < (hold_values ? values() : across()); ++i) {
        held.push_back(code_.take_vector("held operand"));
        hold_values ? load_value(held.back(), i) : load_weight(held.back(), i);
    }
    if (values() == 1 && !math_.widens()) {
        for (int i = 0; i < across(); ++i) {
            math_.fma(accumulator(0, i), code_.vmm(held[0]), weight(offset, i));
        }
        return;
    }
    const Lease streamed = code_.take_vector("streamed operand");
    for (int i = 0; i < (hold_values ? across() : values()); ++i) {
        hold_values ? load_weight(streamed, i) : load_value(streamed, i);
        for (std::size_t j = 0; j < held.size(); ++j) {
            const int other = static_cast<int>(j);
            const Lease& value = hold_values ? held[j] : streamed;
            const Lease& weights = hold_values ? streamed : held[j];
            math_.fma(hold_values ? accumulator(other, i) : accumulator(i, other), code_.vmm(value),
                      code_.vmm(weights));
        }
    }
}

// Values that find no register are broadcast again for each vector of weights.
void TileProduct::emit_apart(const Xbyak::Reg64& k, int offset) {
    const Lease weights = code_.take_vector("weights"), product = code_.take_vector("product");
    const int spare = max_accumulators(code_.isa()) + 2 - shape_.accumulators();
    std::vector<Lease> held;
    for (int index = 0; index < std::min(values(), spare); ++index) {
        held.push_back(code_.take_vector("held operand"));
        math_.broadcast(code_.vmm(held.back()), value(k, offset, index));
    }
    for (int i = 0; i < across(); ++i) {
        math_.load_weights(code_.vmm(weights), weight(offset, i));
        for (int index = 0; index < values(); ++index) {
            const auto place = static_cast<std::size_t>(index);
            const Xbyak::Xmm to = code_.vmm(product);
            if (place >= held.size()) math_.broadcast(to, value(k, offset, index));
            const Xbyak::Xmm factor = place < held.size() ? code_.vmm(held[place]) : to;
            const Xbyak::Xmm sum = accumulator(index, i);
            math_.adds_apart() ? math_.add_product(sum, to, factor, code_.vmm(weights))
                               : math_.fma(sum, factor, code_.vmm(weights));
        }
    }
}

// Numbers are broadcast from memory: a load for each multiply-add.
void TileProduct::emit_pairs(const Xbyak::Reg64& k, int offset) {
    const Lease even = code_.take_vector("even weights"), odd = code_.take_vector("odd weights");
    const bool broadcasts = code_.isa() == Isa::avx512;
    const Lease number = broadcasts ? Lease() : code_.take_vector("number");
    const auto add = [&](const Xbyak::Xmm& sum, const Xbyak::RegExp& at, const Lease& weights) {
        if (broadcasts) {
            return code_.vfmadd231ps(sum, code_.vmm(weights), Xbyak::util::ptr_b[at]);
        }
        code_.vbroadcastss(code_.vmm(number), Xbyak::util::ptr[at]);
        code_.vfmadd231ps(sum, code_.vmm(weights), code_.vmm(number));
    };
    for (int i = 0; i < across(); ++i) {
        code_.vmovups(code_.vmm(even), weight(offset, i));
        math_.split_pairs(code_.vmm(even), code_.vmm(odd), code_.vmm(even));
        for (int row = 0; row < shape_.rows; ++row) {
            const auto first = static_cast<std::size_t>((row * across() + i) * shape_.sums);
            const Xbyak::RegExp at = value(k, offset, row).getRegExp();
            add(code_.vmm(accumulators_[first + 1]), at, even);
            add(code_.vmm(accumulators_[first + 2]), at + math_.scalar_bytes(), odd);
        }
    }
}

void TileProduct::emit_join() {
    for (std::size_t i = 0; i < accumulators_.size(); i += 3) {
        const Xbyak::Xmm sum = code_.vmm(accumulators_[i]), even = code_.vmm(accumulators_[i + 1]);
        const Xbyak::Xmm odd = code_.vmm(accumulators_[i + 2]);
        code_.vaddps(even, even, odd);
        code_.vaddps(sum, sum, even);
        code_.vxorps(even, even, even);
        code_.vxorps(odd, odd, odd);
    }
}

PanelProduct::PanelProduct(JitBase& code, const WeightFormat& format, const TileShape& shape,
                           const std::vector<Lease>& accumulators, bool prefetch)
    : TileProduct(code, format, shape, accumulators) {
    take_rows("row", offsetof(TileArgs, rows));
    if (prefetch && prefetches(shape)) {
        prefetched_ = code.take_gpr("prefetched");
        code.mov(JitBase::gpr(prefetched_), code.argument(offsetof(TileArgs, prefetched)));
    }
    const Lease stride = code.take_gpr("stride of panels");
    code.mov(JitBase::gpr(stride), code.argument(offsetof(TileArgs, panel_stride)));
    for (int panel = 0; panel < shape.panels; ++panel) {
        panels_.push_back(code.take_gpr("panel"));
        const Xbyak::Reg64 pointer = JitBase::gpr(panels_.back());
        if (panel == 0) {
            code.mov(pointer, code.argument(offsetof(TileArgs, panels)));
        } else {
            const Lease& before = panels_[static_cast<std::size_t>(panel - 1)];
            code.lea(pointer, Xbyak::util::ptr[JitBase::gpr(before) + JitBase::gpr(stride)]);
        }
    }
}

void PanelProduct::emit_step(const Xbyak::Reg64& k, int offset) {
    TileProduct::emit_step(k, offset);
    if (prefetched_.holds()) emit_prefetch(offset);
}

// Into the second-level cache.
void PanelProduct::emit_prefetch(int offset) {
    for (int line = 0; line < kPrefetchedBytes; line += static_cast<int>(kCacheLine)) {
        code_.prefetcht1(
            Xbyak::util::ptr[JitBase::gpr(prefetched_) + offset * kPrefetchedBytes + line]);
    }
}

void PanelProduct::emit_advance(int steps) {
    if (prefetched_.holds()) code_.add(JitBase::gpr(prefetched_), steps * kPrefetchedBytes);
    for (const Lease& panel : panels_) {
        code_.add(JitBase::gpr(panel), steps * vectors_of_step() * math_.weight_vector_bytes());
    }
}

Xbyak::Address PanelProduct::weight(int offset, int i) const {
    const Lease& panel = panels_[static_cast<std::size_t>(i / vectors_of_step())];
    const int vector = offset * vectors_of_step() + i % vectors_of_step();
    return Xbyak::util::ptr[JitBase::gpr(panel) + vector * math_.weight_vector_bytes()];
}

FusedInputProduct::FusedInputProduct(JitBase& code, const WeightFormat& format,
                                     const TileShape& shape, const FusedInputLayout& layout,
                                     const std::vector<Lease>& accumulators)
    : TileProduct(code, format, shape, accumulators), layout_(layout) {
    constexpr std::size_t kInput = offsetof(TileArgs, input);
    panels_ = code.take_gpr("panels of inputs");
    code.mov(JitBase::gpr(panels_), code.argument(kInput + offsetof(FusedInputArgs, start)));
    const int across = shape.panels * shape.vectors;
    for (int i = 0; i < shape.accumulators(); ++i) {
        code.vmovups(
            code.vmm(accumulators[static_cast<std::size_t>(i)]),
            Xbyak::util::ptr[JitBase::gpr(panels_) + panel_of(i % across) * code.vector_bytes()]);
    }
    code.mov(JitBase::gpr(panels_), code.argument(kInput + offsetof(FusedInputArgs, panels)));
    take_rows("row of inputs", kInput + offsetof(FusedInputArgs, rows));
}

void FusedInputProduct::emit_advance(int steps) {
    code_.add(JitBase::gpr(panels_), steps * math_.weight_vector_bytes());
}

Xbyak::Address FusedInputProduct::weight(int offset, int i) const {
    const std::int64_t vector = panel_of(i) * layout_.k + offset;
    const auto bytes = static_cast<int>(vector * math_.weight_vector_bytes());
    return Xbyak::util::ptr[JitBase::gpr(panels_) + bytes];
}

}  // namespace rondo::cpu::jit
