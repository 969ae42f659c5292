// The floating-point modes of an inference. In most, denormals count as zero: one FMA on them is
// some 40 times slower.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rondo::cpu {

/// MXCSR on x86-64, FPCR on AArch64. With kFlushBits set, denormals count as zero, both as operands
/// and as results.
struct FloatControl {
#if defined(__x86_64__)
    static constexpr std::uint64_t kFlushBits = 0x8040;  // FTZ and DAZ
    /// Rounds to nearest, no exception traps.
    static constexpr std::uint64_t kDefault = 0x1f80;

    static std::uint64_t read() { return _mm_getcsr(); }
    static void write(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
    static constexpr std::uint64_t kFlushBits = std::uint64_t{1} << 24;  // FZ
    static constexpr std::uint64_t kDefault = 0;

    static std::uint64_t read() {
        std::uint64_t bits = 0;
        asm volatile("mrs %0, fpcr" : "=r"(bits)::"memory");
        return bits;
    }
    static void write(std::uint64_t bits) { asm volatile("msr fpcr, %0" ::"r"(bits) : "memory"); }
#endif
};

/// While it lives, the calling thread rounds to nearest, traps nothing, and has the flush bits set
/// or cleared: the caller's own modes change no result. Restores them, with the flags that were
/// raised before.
class FlushDenormals {
public:
    explicit FlushDenormals(bool flush) : saved_(FloatControl::read()) {
        FloatControl::write(FloatControl::kDefault | (flush ? FloatControl::kFlushBits : 0));
    }
    ~FlushDenormals() { FloatControl::write(saved_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    std::uint64_t saved_;
};

}  // namespace rondo::cpu
