#include "plugins/cpu/jit/product_loop.hpp"

#include <cstddef>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr std::size_t kAhead = offsetof(TileArgs, ahead);

}  // namespace

bool can_look_ahead(Isa isa, const WeightFormat& format) {
    return isa == Isa::avx512 && format == ElementType::f32;
}

LookAheadProduct::LookAheadProduct(JitBase& code) : code_(code), math_(code, ElementType::f32) {
    load(row_0_, "start of the look-ahead", offsetof(LookAheadArgs, start));
    for (int sum = 0; sum < kLookAheadSteps * kLookAheadPanels; ++sum) {
        sums_.push_back(code.take_vector("sum of the look-ahead"));
        const int bytes = sum % kLookAheadPanels * code.vector_bytes();
        code.vmovups(code.vmm(sums_.back()), Xbyak::util::ptr[JitBase::gpr(row_0_) + bytes]);
    }
    load(panels_[0], "panel of the look-ahead", offsetof(LookAheadArgs, panel));
    load(panels_[1], "panel of the look-ahead", offsetof(LookAheadArgs, panel_stride));
    code.add(JitBase::gpr(panels_[1]), JitBase::gpr(panels_[0]));
    row_0_ = Lease();
    load(row_0_, "row of the look-ahead", offsetof(LookAheadArgs, rows));
    load(stride_, "stride of the look-ahead", offsetof(LookAheadArgs, row_stride));
    row_4_ = code.take_gpr("row 4 of the look-ahead");
    stride_3_ = code.take_gpr("three strides of the look-ahead");
    const Xbyak::Reg64 row = JitBase::gpr(row_0_), stride = JitBase::gpr(stride_);
    code.lea(JitBase::gpr(row_4_), Xbyak::util::ptr[row + stride * 4]);
    code.lea(JitBase::gpr(stride_3_), Xbyak::util::ptr[stride + stride * 2]);
}

void LookAheadProduct::load(Lease& to, const char* role, std::size_t member) {
    to = code_.take_gpr(role);
    code_.mov(JitBase::gpr(to), code_.argument(kAhead + member));
}

Xbyak::RegExp LookAheadProduct::row_address(int row) const {
    const Xbyak::Reg64 first = JitBase::gpr(row < 4 ? row_0_ : row_4_);
    switch (row % 4) {
        case 0: return Xbyak::RegExp(first);
        case 1: return first + JitBase::gpr(stride_);
        case 2: return first + JitBase::gpr(stride_) * 2;
        default: return first + JitBase::gpr(stride_3_);
    }
}

void LookAheadProduct::emit_step(const Xbyak::Reg64& /*k*/, int offset) {
    std::vector<Lease> weights;
    for (const Lease& panel : panels_) {
        weights.push_back(code_.take_vector("weight of the look-ahead"));
        code_.vmovups(code_.vmm(weights.back()),
                      Xbyak::util::ptr[JitBase::gpr(panel) + offset * code_.vector_bytes()]);
    }
    const Lease value = code_.take_vector("value of the look-ahead");
    std::size_t sum = 0;
    for (int row = 0; row < kLookAheadSteps; ++row) {
        math_.broadcast(code_.vmm(value),
                        Xbyak::util::ptr[row_address(row) + offset * math_.scalar_bytes()]);
        for (const Lease& weight : weights) {
            math_.fma(code_.vmm(sums_[sum++]), code_.vmm(value), code_.vmm(weight));
        }
    }
}

void LookAheadProduct::emit_advance(int steps) {
    for (const Lease& panel : panels_) code_.add(JitBase::gpr(panel), steps * code_.vector_bytes());
    code_.add(JitBase::gpr(row_0_), steps * math_.scalar_bytes());
    code_.add(JitBase::gpr(row_4_), steps * math_.scalar_bytes());
}

void LookAheadProduct::emit_results() {
    const Xbyak::Reg64 out = JitBase::gpr(panels_[0]), stride = JitBase::gpr(stride_);
    code_.mov(out, code_.argument(kAhead + offsetof(LookAheadArgs, out)));
    code_.mov(stride, code_.argument(kAhead + offsetof(LookAheadArgs, out_stride)));
    std::size_t sum = 0;
    for (int row = 0; row < kLookAheadSteps; ++row) {
        for (int panel = 0; panel < kLookAheadPanels; ++panel) {
            code_.vmovups(Xbyak::util::ptr[out + panel * code_.vector_bytes()],
                          code_.vmm(sums_[sum++]));
        }
        code_.add(out, stride);
    }
}

}  // namespace rondo::cpu::jit
