// Generated elementwise functions of one input.
#include <cstddef>
#include <string>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/math/vector_math.hpp"

namespace rondo::cpu::jit {
namespace {

struct UnaryArgs {
    const void* src;
    void* dst;
    std::int64_t words;
};

std::string unary_name(Isa isa, const UnaryConfig& config) {
    const std::string function =
        config.kind == UnaryKind::exp ? "Exp" : std::string(to_string(config.activation.kind));
    return "unary_" + function + "_" + name_of(isa) + "_" + name_of(config.precision);
}

// Whole vectors first, then one masked vector for the rest. Counts and masks are of words of 32
// bits, also where a lane has two of them.
class UnaryCode final : public JitBase {
public:
    UnaryCode(Isa isa, const UnaryConfig& config)
        : JitBase(isa, unary_name(isa, config)), config_(config) {
        generate();
    }

    using Function = void (*)(const UnaryArgs*);
    Function function() const { return getCode<Function>(); }

private:
    const Xbyak::Reg64 src_ = rsi, dst_ = rdx, left_ = rcx, base_ = rax;
    const Xbyak::Opmask tail_mask_{2};
    static constexpr int kTailStack = 64;

    void generate() {
        emit_entry(kTailStack);
        constants_.load_base(*this, base_);
        mov(src_, ptr[args_ + offsetof(UnaryArgs, src)]);
        mov(left_, ptr[args_ + offsetof(UnaryArgs, words)]);
        mov(dst_, ptr[args_ + offsetof(UnaryArgs, dst)]);
        emit_whole_vectors();
        emit_rest();
        emit_exit();
        finish();
    }

    Vec apply(Vec x) {
        VectorOps ops(*this, isa(), vector_pool_, constants_, base_, config_.precision);
        x = ops.load(std::move(x));
        Vec y = config_.kind == UnaryKind::exp
                    ? math::exp(ops, std::move(x))
                    : math::activate(ops, config_.activation, std::move(x));
        return ops.load(std::move(y));
    }

    void emit_whole_vectors() {
        Xbyak::Label body, end;
        sub(left_, lanes());
        jl(end);
        L(body);
        vmovups(ptr[dst_], vmm(apply(Vec(ptr[src_])).index()));
        add(src_, vector_bytes());
        add(dst_, vector_bytes());
        sub(left_, lanes());
        jge(body);
        L(end);
        add(left_, lanes());
    }

    void emit_rest() {
        Xbyak::Label end;
        test(left_, left_);
        jz(end);
        isa() == Isa::avx512 ? emit_rest_avx512() : emit_rest_avx2();
        L(end);
    }

    void emit_rest_avx512() {
        mov(r8, -1);
        bzhi(r8, r8, left_);
        kmovd(tail_mask_, r8d);
        Lease x(vector_pool_, "rest");
        vmovups(vmm(x) | tail_mask_ | T_z, ptr[src_]);
        vmovups(ptr[dst_] | tail_mask_, vmm(apply(Vec(std::move(x))).index()));
    }

    // The mask for n lanes is a window into lanes of ones followed by lanes of zeros.
    void emit_rest_avx2() {
        const auto width = static_cast<std::size_t>(lanes());
        std::vector<std::uint32_t> window(2 * width, 0u);
        for (std::size_t i = 0; i < width; ++i) window[i] = 0xffffffffu;
        const Xbyak::Address first = constants_.vector_address(base_, window);
        lea(r8, first);
        shl(left_, 2);
        sub(r8, left_);
        Lease x(vector_pool_, "rest");
        vmovups(vmm(x), ptr[r8 + vector_bytes()]);
        vmovups(ptr[rsp], vmm(x));
        vmaskmovps(vmm(x), vmm(x), ptr[src_]);
        const Vec y = apply(Vec(std::move(x)));
        const Lease mask(vector_pool_, "mask");
        vmovups(vmm(mask), ptr[rsp]);
        vmaskmovps(ptr[dst_], vmm(mask), vmm(y.index()));
    }

    UnaryConfig config_;
};

class JitUnary final : public UnaryKernel {
public:
    JitUnary(Isa isa, const UnaryConfig& config)
        : code_(isa, config), words_(static_cast<std::int64_t>(bytes_of(config.precision) / 4)) {}

    void run(const void* src, void* dst, std::int64_t n) const override {
        const UnaryArgs args{src, dst, n * words_};
        code_.function()(&args);
    }

private:
    UnaryCode code_;
    std::int64_t words_;  // in an element
};

}  // namespace

std::unique_ptr<UnaryKernel> make_unary(Isa isa, const UnaryConfig& config) {
    return std::make_unique<JitUnary>(isa, config);
}

}  // namespace rondo::cpu::jit
