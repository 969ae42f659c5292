// Generates tap kernels: each turn keeps some vectors of positions in registers while all
// taps are added to them.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_io.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kTurns[] = {8, 4, 2, 1};  // vectors of a turn
constexpr int kPointerBytes = 8;
constexpr std::uint8_t kOrdered = 7;  // the predicate that is false where either is NaN

const char* name_of(TapFunction function) {
    switch (function) {
        case TapFunction::weighted_sum: return "weighted_sum";
        case TapFunction::product_sum: return "product_sum";
        case TapFunction::sum: return "sum";
        case TapFunction::maximum: return "maximum";
    }
    return "";
}

std::string code_name(Isa isa, const TapConfig& config) {
    return std::string("taps_") + name_of(config.function) + "_" + cpu::name_of(isa) + "_" +
           cpu::name_of(config.precision);
}

struct Registers {
    // `at`: bytes from position 0 of row 0 on, the same in every line. `out` is moved so that it
    // serves there too.
    Xbyak::Reg64 left = Xbyak::util::rcx, out = Xbyak::util::r9, at = Xbyak::util::r10;
    Xbyak::Reg64 row = Xbyak::util::r15, rows = Xbyak::util::rbx;
    Xbyak::Reg64 lines = Xbyak::util::rsi, line = Xbyak::util::r12;
    Xbyak::Reg64 factors = Xbyak::util::rdx, factor = Xbyak::util::r13;
    Xbyak::Reg64 factor_stride = Xbyak::util::r14;
    Xbyak::Reg64 taps = Xbyak::util::r8, index = Xbyak::util::r11;
};

class TapCode final : public JitBase {
public:
    TapCode(Isa isa, const TapConfig& config)
        : JitBase(isa, code_name(isa, config)),
          config_(config),
          ops_(*this, isa, vector_pool_, constants_, base_, config.precision),
          io_(*this, isa, ops_, vector_pool_),
          rest_(*this, ops_, io_, vector_pool_, {reg_.left, args_, reg_.index, reg_.index}) {
        generate();
    }

    using Function = void (*)(const TapRun*);
    Function function() const { return getCode<Function>(); }

private:
    const Xbyak::Reg64 base_ = rax;
    const Registers reg_;

    bool f64() const { return config_.precision == Precision::f64; }
    bool has_factor_lines() const { return config_.function == TapFunction::product_sum; }

    void generate() {
        emit_entry(kPointerBytes);
        mov(ptr[rsp], args_);
        constants_.load_base(*this, base_);
        mov(reg_.lines, argument(offsetof(TapRun, lines)));
        mov(reg_.factors, argument(offsetof(TapRun, factors)));
        mov(reg_.factor_stride, argument(offsetof(TapRun, factor_stride)));
        mov(reg_.taps, argument(offsetof(TapRun, taps)));
        mov(reg_.out, argument(offsetof(TapRun, out)));
        mov(reg_.rows, argument(offsetof(TapRun, rows)));
        xor_(reg_.row, reg_.row);
        emit_rows();
        emit_exit();
        finish();
    }

    void emit_rows() {
        Xbyak::Label next, done;
        test(reg_.rows, reg_.rows);
        jle(done);
        L(next);
        mov(args_, ptr[rsp]);
        mov(reg_.left, argument(offsetof(TapRun, count)));
        mov(reg_.at, reg_.row);
        for (const int vectors : kTurns) emit_turns(vectors);
        emit_rest();
        mov(args_, ptr[rsp]);
        add(reg_.row, argument(offsetof(TapRun, line_step)));
        add(reg_.out, argument(offsetof(TapRun, out_step)));
        sub(reg_.out, argument(offsetof(TapRun, line_step)));
        dec(reg_.rows);
        jg(next);
        L(done);
    }

    // What a result is before the first tap.
    Vec start() {
        const bool is_maximum = config_.function == TapFunction::maximum;
        return ops_.load(ops_.constant(is_maximum ? -std::numeric_limits<double>::infinity() : 0));
    }

    // Whole vectors, as long as there are so many.
    void emit_turns(int vectors) {
        Xbyak::Label body, end;
        sub(reg_.left, vectors * ops_.lanes());
        jl(end);
        align(16);
        L(body);
        std::vector<Vec> results;
        for (int v = 0; v < vectors; ++v) results.push_back(start());
        emit_taps([&](const Lease& factor) {
            int place = 0;
            for (const Vec& result : results) {
                if (has_factor_lines()) vmovups(vmm(factor), ptr[reg_.factor + reg_.at + place]);
                emit_step(ops_.vmm(result), factor, ptr[reg_.line + reg_.at + place]);
                place += vector_bytes();
            }
        });
        int place = 0;
        for (const Vec& result : results) {
            ops_.store(ptr[reg_.out + reg_.at + place], result);
            place += vector_bytes();
        }
        add(reg_.at, place);
        sub(reg_.left, vectors * ops_.lanes());
        jge(body);
        L(end);
        add(reg_.left, vectors * ops_.lanes());
    }

    // Reads nothing of the arguments, whose register holds the mask.
    void emit_rest() {
        Xbyak::Label end;
        test(reg_.left, reg_.left);
        jz(end);
        rest_.emit_mask(constants_, base_);
        Vec result = start();
        emit_taps([&](const Lease& factor) {
            const Vec x = load_rest(reg_.line);
            if (!has_factor_lines()) return emit_step(ops_.vmm(result), factor, ops_.vmm(x));
            const Vec factors = load_rest(reg_.factor);
            vmovups(vmm(factor), ops_.vmm(factors));
            emit_step(ops_.vmm(result), factor, ops_.vmm(x));
        });
        rest_.store(ElementKind::number, reg_.out + reg_.at, std::move(result), reg_.out + reg_.at);
        L(end);
    }

    Vec load_rest(const Xbyak::Reg64& from) {
        return rest_.load(ElementKind::number, from + reg_.at, from + reg_.at);
    }

    // `each(factor)` is emitted once, as the body of a loop over the taps.
    template <typename Each>
    void emit_taps(Each each) {
        Xbyak::Label next, done;
        const Lease factor = take_vector("factor");
        test(reg_.taps, reg_.taps);
        jz(done);
        xor_(reg_.index, reg_.index);
        mov(reg_.factor, reg_.factors);
        L(next);
        mov(reg_.line, ptr[reg_.lines + reg_.index * kPointerBytes]);
        if (config_.function == TapFunction::weighted_sum) emit_broadcast(factor);
        each(factor);
        add(reg_.factor, reg_.factor_stride);
        inc(reg_.index);
        cmp(reg_.index, reg_.taps);
        jl(next);
        L(done);
    }

    void emit_broadcast(const Lease& factor) {
        if (!f64()) return vbroadcastss(vmm(factor), dword[reg_.factors + reg_.index * 4]);
        const auto from = qword[reg_.factors + reg_.index * 8];
        isa() == Isa::avx512 ? vbroadcastsd(Xbyak::Zmm(factor.index()), from)
                             : vbroadcastsd(Xbyak::Ymm(factor.index()), from);
    }

    void emit_step(const Xbyak::Xmm& result, const Lease& factor, const Xbyak::Operand& x) {
        switch (config_.function) {
            case TapFunction::weighted_sum:
            case TapFunction::product_sum:
                f64() ? vfmadd231pd(result, vmm(factor), x) : vfmadd231ps(result, vmm(factor), x);
                return;
            case TapFunction::sum:
                f64() ? vaddpd(result, result, x) : vaddps(result, result, x);
                return;
            case TapFunction::maximum:
                return isa() == Isa::avx512 ? emit_maximum_avx512(result, x)
                                            : emit_maximum_avx2(result, factor, x);
        }
    }

    // NaN stays; otherwise the larger, which is x where that is NaN.
    void emit_maximum_avx512(const Xbyak::Xmm& result, const Xbyak::Operand& x) {
        const Xbyak::Opmask ordered(1);
        if (f64()) {
            vcmppd(ordered, result, result, kOrdered);
            vmaxpd(result | ordered, result, x);
        } else {
            vcmpps(ordered, result, result, kOrdered);
            vmaxps(result | ordered, result, x);
        }
    }

    void emit_maximum_avx2(const Xbyak::Xmm& result, const Lease& free, const Xbyak::Operand& x) {
        const Lease mask = take_vector("mask");
        if (f64()) {
            vcmppd(vmm(mask), result, result, kOrdered);
            vmaxpd(vmm(free), result, x);
            vblendvpd(result, result, vmm(free), vmm(mask));
        } else {
            vcmpps(vmm(mask), result, result, kOrdered);
            vmaxps(vmm(free), result, x);
            vblendvps(result, result, vmm(free), vmm(mask));
        }
    }

    TapConfig config_;
    VectorOps ops_;
    VectorIo io_;
    RestIo rest_;
};

class JitTaps final : public TapKernel {
public:
    JitTaps(Isa isa, const TapConfig& config) : code_(isa, config) {}

    Isa isa() const override { return code_.isa(); }
    void run(const TapRun& run) const override { code_.function()(&run); }

private:
    TapCode code_;
};

}  // namespace

std::unique_ptr<TapKernel> make_taps(Isa isa, const TapConfig& config) {
    return generate<JitTaps>(isa, config);
}

}  // namespace rondo::cpu::jit
