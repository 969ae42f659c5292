#include "plugins/cpu/kernels/machine/cpu_features.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr bool kHasJit = RONDO_HAS_JIT;

// "48K", "2048K", "260M" -> bytes; 0 where the text is no size.
std::int64_t parse_size(const std::string& text) {
    std::size_t digits = 0;
    std::int64_t value = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 12) {
        value = value * 10 + (text[digits++] - '0');
    }
    if (digits == text.size()) return value;
    if (text[digits] == 'K') return value * 1024;
    return text[digits] == 'M' ? value * 1024 * 1024 : 0;
}

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Linux lists each cache of core 0. Asked first: it knows Intel, AMD and what a hypervisor allows.
void read_caches_from_sysfs(CpuFeatures& features) {
    for (int index = 0; index < 8; ++index) {
        const std::string folder =
            "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        const std::string level = first_line(folder + "level");
        if (level.empty()) return;
        if (first_line(folder + "type") == "Instruction") continue;
        const std::int64_t bytes = parse_size(first_line(folder + "size"));
        if (bytes == 0) continue;
        if (level == "1") features.l1_bytes = bytes;
        if (level == "2") features.l2_bytes = bytes;
        if (level == "3") features.l3_bytes = bytes;
    }
}

}  // namespace

const char* name_of(CpuVendor vendor) {
    if (vendor == CpuVendor::other) return "other";
    return vendor == CpuVendor::intel ? "intel" : "amd";
}

int lanes_of(Isa isa) { return isa == Isa::avx512 ? 16 : 8; }

int lanes_of(Isa isa, Precision precision) {
    return precision == Precision::f64 ? lanes_of(isa) / 2 : lanes_of(isa);
}

CpuFeatures detect_cpu_features() {
    CpuFeatures features;
    read_processor(features);
    if (!kHasJit) {
        features.avx2 = features.avx512 = features.vnni = features.avx_vnni = features.amx = false;
    }
    read_caches_from_sysfs(features);
    return features;
}

const CpuFeatures& cpu_features() {
    static const CpuFeatures features = detect_cpu_features();
    return features;
}

bool may_use_amx() {
    static const bool may = cpu_features().amx && ask_for_amx();
    return may;
}

CpuFeatures features_up_to(Isa isa) {
    CpuFeatures features = cpu_features();
    features.avx512 = features.avx512 && isa == Isa::avx512;
    features.vnni = features.vnni && features.avx512;
    features.amx = features.amx && features.vnni;
    features.avx2 = features.avx2 && isa != Isa::plain;
    features.avx_vnni = features.avx_vnni && features.avx2;
    return features;
}

Isa choose_isa(const CpuFeatures& features, const std::optional<std::string>& requested) {
    const Isa best = features.best();
    if (!requested) return best;
    std::string possible;
    for (Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > best) break;
        if (equals_ignoring_case(*requested, name_of(isa))) return isa;
        possible += std::string(possible.empty() ? "" : ", ") + "'" + name_of(isa) + "'";
    }
    const bool known = equals_ignoring_case(*requested, name_of(Isa::avx2)) ||
                       equals_ignoring_case(*requested, name_of(Isa::avx512));
    throw ModelError("environment variable RONDO_ISA is '" + *requested + "', " +
                     (known ? "which this CPU lacks" : "which is not an instruction set") +
                     "; possible here: " + possible);
}

Isa best_isa() { return choose_isa(cpu_features(), env("RONDO_ISA")); }

bool can_generate_code() {
    const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return true;     // a lack of memory, which others will report
    *static_cast<volatile char*>(page) = 0;  // SELinux asks about pages that were written
    const bool allowed = ::mprotect(page, size, PROT_READ | PROT_EXEC) == 0;
    ::munmap(page, size);
    return allowed;
}

Isa usable_isa() {
    const Isa best = best_isa();
    if (best == Isa::plain || can_generate_code()) return best;
    if (!env("RONDO_ISA")) return Isa::plain;
    throw UnsupportedError("environment variable RONDO_ISA is '" + std::string(name_of(best)) +
                           "', but the system forbids generated code; possible here: 'plain'");
}

}  // namespace rondo::cpu
