#include "plugins/cpu/jit/vector_io.hpp"

#include <utility>

namespace rondo::cpu::jit {

using Xbyak::util::dword;
using Xbyak::util::ptr;
using Xbyak::util::qword;

Vec VectorIo::load_truth(const Xbyak::RegExp& from) {
    const Vec x(Lease(pool_, "truth"));
    f64() ? code_.vpmovzxbq(ops_.vmm(x), ptr[from]) : code_.vpmovzxbd(ops_.vmm(x), ptr[from]);
    if (isa_ == Isa::avx512) {
        spread_truth(x);
        return x;
    }
    const Lease zero(pool_, "zero");
    const Xbyak::Ymm none(zero.index());
    code_.vxorps(none, none, none);
    f64() ? code_.vpcmpgtq(ops_.vmm(x), ops_.vmm(x), none)
          : code_.vpcmpgtd(ops_.vmm(x), ops_.vmm(x), none);
    return x;
}

void VectorIo::store(ElementKind kind, const Xbyak::RegExp& to, Vec x) {
    x = ops_.load(std::move(x));
    if (kind == ElementKind::number) return ops_.store(ptr[to], x);
    isa_ == Isa::avx512 ? store_truth_avx512(to, x) : store_truth_avx2(to, x);
}

Vec VectorIo::load_truth(const Xbyak::RegExp& from, const Xbyak::Opmask& mask) {
    const Vec x(Lease(pool_, "truth"));
    const Xbyak::Xmm to = ops_.vmm(x) | mask | Xbyak::util::T_z;
    f64() ? code_.vpmovzxbq(to, ptr[from]) : code_.vpmovzxbd(to, ptr[from]);
    spread_truth(x);
    return x;
}

void VectorIo::store_truth(const Xbyak::RegExp& to, const Vec& x, const Xbyak::Opmask& mask) {
    const Lease bytes(pool_, "bytes");
    const Xbyak::Zmm lanes(bytes.index());
    narrow_truth(lanes, x);
    f64() ? code_.vpmovqb(qword[to] | mask, lanes) : code_.vpmovdb(ptr[to] | mask, lanes);
}

void VectorIo::store_truth_avx512(const Xbyak::RegExp& to, const Vec& x) {
    const Lease bytes(pool_, "bytes");
    const Xbyak::Zmm lanes(bytes.index());
    narrow_truth(lanes, x);
    f64() ? code_.vpmovqb(qword[to], lanes) : code_.vpmovdb(ptr[to], lanes);
}

// Lanes that are not 0 get all bits.
void VectorIo::spread_truth(const Vec& x) {
    const Xbyak::Opmask set(1);
    f64() ? code_.vptestmq(set, ops_.vmm(x), ops_.vmm(x))
          : code_.vptestmd(set, ops_.vmm(x), ops_.vmm(x));
    f64() ? code_.vpmovm2q(ops_.vmm(x), set) : code_.vpmovm2d(ops_.vmm(x), set);
}

// 0 or 1 in each lane.
void VectorIo::narrow_truth(const Xbyak::Zmm& lanes, const Vec& x) {
    f64() ? code_.vpsrlq(lanes, ops_.vmm(x), 63) : code_.vpsrld(lanes, ops_.vmm(x), 31);
}

// Narrowed with saturation, which keeps 0 and -1; then -1 becomes 1.
void VectorIo::store_truth_avx2(const Xbyak::RegExp& to, const Vec& x) {
    const Lease low_lease(pool_, "low"), high_lease(pool_, "high");
    const Xbyak::Xmm low(low_lease.index()), high(high_lease.index());
    code_.vextractf128(high, Xbyak::Ymm(x.index()), 1);
    const Xbyak::Xmm first(x.index());
    if (f64()) {
        code_.vshufps(low, first, high, 0x88);
        code_.vpackssdw(low, low, low);
    } else {
        code_.vpackssdw(low, first, high);
    }
    code_.vpacksswb(low, low, low);
    code_.vpabsb(low, low);
    f64() ? code_.vmovd(dword[to], low) : code_.vmovq(qword[to], low);
}

}  // namespace rondo::cpu::jit
