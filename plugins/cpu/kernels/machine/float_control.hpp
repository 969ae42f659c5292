// A thread's register of floating-point modes.
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

}  // namespace rondo::cpu
