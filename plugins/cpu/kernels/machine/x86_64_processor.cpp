// The instruction CPUID, which programs may use.
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "core/support/strings.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {
namespace {

// Hygon's processors are AMD's.
CpuVendor read_vendor() {
    unsigned a = 0, words[3] = {};
    if (!__get_cpuid(0, &a, words, words + 2, words + 1)) return CpuVendor::other;
    char name[sizeof(words) + 1] = {};
    std::memcpy(name, words, sizeof(words));
    const std::string vendor(name);
    if (vendor == "GenuineIntel") return CpuVendor::intel;
    return vendor == "AuthenticAMD" || vendor == "HygonGenuine" ? CpuVendor::amd : CpuVendor::other;
}

std::string read_brand() {
    unsigned words[12] = {};
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(0x80000000u, &a, &b, &c, &d) || a < 0x80000004u) return "";
    for (unsigned part = 0; part < 3; ++part) {
        unsigned* w = words + 4 * part;
        __get_cpuid(0x80000002u + part, w, w + 1, w + 2, w + 3);
    }
    char text[sizeof(words) + 1] = {};
    std::memcpy(text, words, sizeof(words));
    return std::string(trim(text));
}

// __builtin_cpu_supports also asks XGETBV whether the operating system saves the registers.
bool has_f16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
}

// Whether the system saves the state of tiles: bits 17 and 18 of XCR0.
bool saves_tiles() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0) return false;
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    constexpr unsigned kTiles = 3u << 17;
    return (low & kTiles) == kTiles;
}

bool has_avx_vnni() {
    constexpr unsigned kAvxVnni = 1u << 4;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & kAvxVnni) != 0;
}

bool has_amx() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25;
    constexpr unsigned kAll = kBf16 | kTile | kInt8;
    return (d & kAll) == kAll && saves_tiles();
}

}  // namespace

void read_processor(CpuFeatures& features) {
    __builtin_cpu_init();
    features.f16c = has_f16c();
    features.avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && features.f16c;
    features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
    features.vnni = features.avx512 && __builtin_cpu_supports("avx512vnni");
    features.avx_vnni = features.avx2 && has_avx_vnni();
    features.amx = features.vnni && has_amx();
    features.avx512_bf16 = features.avx512 && __builtin_cpu_supports("avx512bf16");
    features.vendor = read_vendor();
    features.brand = read_brand();
}

// Once for all threads and children. An old Linux, a sandbox or too small a stack for signals
// refuses.
bool ask_for_amx() {
    constexpr int kRequestPermission = 0x1023, kTileData = 18;
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace rondo::cpu
