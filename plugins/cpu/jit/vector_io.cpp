#include "plugins/cpu/jit/vector_io.hpp"

#include <algorithm>
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

using Xbyak::util::ptr;

void RestIo::emit_mask(ConstantTable& constants, const Xbyak::Reg64& base) {
    const Xbyak::Reg64& mask = registers_.mask;
    if (avx512()) {
        code_.mov(mask, -1);
        code_.bzhi(mask, mask, registers_.count);
        code_.kmovd(mask_, mask.cvt32());
        return;
    }
    // A window into words of ones followed by words of zeros.
    const auto width = static_cast<std::size_t>(code_.lanes());
    std::vector<std::uint32_t> window(2 * width, 0u);
    std::fill_n(window.begin(), width, ~0u);
    const Xbyak::RegExp ones = constants.vector_address(base, window).getRegExp();
    code_.mov(mask, registers_.count);
    code_.neg(mask);
    code_.lea(mask, ptr[ones + mask * ops_.lane_bytes() + code_.vector_bytes()]);
}

Vec RestIo::load(ElementKind kind, const Xbyak::RegExp& from, const Xbyak::RegExp& slot) {
    if (kind == ElementKind::number) return load_numbers(from);
    if (avx512()) return io_.load_truth(from, mask_);
    copy_bytes(slot, from);
    return io_.load_truth(slot);
}

void RestIo::store(ElementKind kind, const Xbyak::RegExp& to, Vec x, const Xbyak::RegExp& slot) {
    x = ops_.load(std::move(x));
    if (kind == ElementKind::number) return store_numbers(to, x);
    if (avx512()) return io_.store_truth(to, x, mask_);
    io_.store(kind, slot, std::move(x));
    copy_bytes(to, slot);
}

Vec RestIo::load_numbers(const Xbyak::RegExp& from) {
    Vec x(Lease(pool_, "rest"));
    const Xbyak::Xmm to = ops_.vmm(x);
    if (avx512()) {
        f64() ? code_.vmovupd(to | mask_ | Xbyak::util::T_z, ptr[from])
              : code_.vmovups(to | mask_ | Xbyak::util::T_z, ptr[from]);
        return x;
    }
    const Lease mask(pool_, "mask");
    load_mask(mask);
    f64() ? code_.vmaskmovpd(to, code_.vmm(mask), ptr[from])
          : code_.vmaskmovps(to, code_.vmm(mask), ptr[from]);
    return x;
}

void RestIo::store_numbers(const Xbyak::RegExp& to, const Vec& x) {
    if (avx512()) {
        f64() ? code_.vmovupd(ptr[to] | mask_, ops_.vmm(x))
              : code_.vmovups(ptr[to] | mask_, ops_.vmm(x));
        return;
    }
    const Lease mask(pool_, "mask");
    load_mask(mask);
    f64() ? code_.vmaskmovpd(ptr[to], code_.vmm(mask), ops_.vmm(x))
          : code_.vmaskmovps(ptr[to], code_.vmm(mask), ops_.vmm(x));
}

void RestIo::load_mask(const Lease& to) { code_.vmovups(code_.vmm(to), ptr[registers_.mask]); }

void RestIo::copy_bytes(const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
    Xbyak::Label next;
    const Xbyak::Reg64& index = registers_.index;
    const Xbyak::Reg8 byte = registers_.byte.cvt8();
    code_.xor_(index, index);
    code_.L(next);
    code_.mov(byte, ptr[from + index]);
    code_.mov(ptr[to + index], byte);
    code_.inc(index);
    code_.cmp(index, registers_.count);
    code_.jl(next);
}

}  // namespace rondo::cpu::jit
