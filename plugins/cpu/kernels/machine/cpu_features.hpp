// What the CPU and the system offer, which instruction set the kernels are to use, and in which
// floating-point type they compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

enum class Precision { f32, f64 };

inline std::size_t bytes_of(Precision precision) { return precision == Precision::f64 ? 8 : 4; }

/// For the names of kernels: "f32", "f64".
inline const char* name_of(Precision precision) {
    return precision == Precision::f64 ? "f64" : "f32";
}

/// The type of the arithmetic on elements of a floating type: f16 and bf16 are storage only.
inline Precision precision_of(ElementType type) {
    return type == ElementType::f64 ? Precision::f64 : Precision::f32;
}

/// The instruction sets that kernels are written for, weakest first. `avx2` implies FMA and F16C
/// (every CPU that has it has these); `avx512` means F, BW, DQ and VL.
enum class Isa { plain, avx2, avx512 };

constexpr const char* name_of(Isa isa) {
    if (isa == Isa::plain) return "plain";
    return isa == Isa::avx2 ? "avx2" : "avx512";
}

/// Lanes of f32 in a vector register; plain kernels work on the same panels as AVX2.
int lanes_of(Isa isa);
/// The same for elements of a precision: half as many f64.
int lanes_of(Isa isa, Precision precision);

enum class CpuVendor { intel, amd, other };

const char* name_of(CpuVendor vendor);

struct CpuFeatures {
    bool avx2 = false;      ///< with FMA and F16C
    bool avx512 = false;    ///< F, BW, DQ, VL, enabled by the operating system
    bool vnni = false;      ///< AVX-512's VNNI; with avx512
    bool avx_vnni = false;  ///< that of AVX2; with avx2
    bool amx = false;       ///< AMX-INT8 and AMX-BF16, enabled by the operating system; with vnni
    bool avx512_bf16 = false;  ///< with avx512
    bool f16c = false;
    std::int64_t l1_bytes = 32 * 1024;   ///< data, a core
    std::int64_t l2_bytes = 512 * 1024;  ///< a core
    std::int64_t l3_bytes = 0;           ///< shared; 0 where there is none

    CpuVendor vendor = CpuVendor::other;
    std::string brand;  ///< as the CPU names itself; may be empty

    Isa best() const { return avx512 ? Isa::avx512 : avx2 ? Isa::avx2 : Isa::plain; }
};

/// Sets the instruction sets, the vendor and the brand: what the processor says of itself. Each
/// architecture has a source file of its own.
void read_processor(CpuFeatures& features);

/// Asks Linux for leave to use AMX, which it may refuse. What it allows holds for the process; its
/// alternate signal stacks then have to be large enough for tiles.
bool ask_for_amx();

/// Whether this machine has AMX and kernels may use it: asks at the first call.
bool may_use_amx();

/// Asks the processor, and Linux (/sys) for the cache sizes; AMD and virtual CPUs answer too.
/// Without RONDO_JIT there is no instruction set but plain.
CpuFeatures detect_cpu_features();

/// The features of this machine, detected once.
const CpuFeatures& cpu_features();

/// This machine's, but with no instruction set better than `isa`.
CpuFeatures features_up_to(Isa isa);

/// The best set of `features` that `requested` (the value of RONDO_ISA: "plain", "avx2" or
/// "avx512"; nothing = no cap) allows. Throws ModelError on an unknown value or one that the CPU
/// lacks.
Isa choose_isa(const CpuFeatures& features, const std::optional<std::string>& requested);

/// choose_isa(cpu_features(), RONDO_ISA); reads the variable at every call.
Isa best_isa();

/// Tries it with one page: seccomp, SELinux or a process's own choice may forbid it, and may begin
/// to do so at any time.
bool can_generate_code();

/// best_isa(), or `plain` where no code can be generated. Throws UnsupportedError where RONDO_ISA
/// names another set then.
Isa usable_isa();

}  // namespace rondo::cpu
