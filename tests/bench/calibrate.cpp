// rondo_calibrate: what this machine can do at most. bench_peers.py puts its results beside it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "rondo/error.hpp"
#include "tools/rondo/machine/calibration.hpp"

namespace rondo::cpu::bench {
namespace {

using tool::Calibration;
using tool::CalibrationOptions;
using tool::LevelRate;
using tool::VectorSet;

constexpr const char* kUsage =
    "Usage: rondo_calibrate [--threads 1,2] [--json] [--quick]\n"
    "Measures the peak of f32 multiply-adds and the bandwidth of reading from each cache and from\n"
    "memory, on one thread and on all, or on as many as --threads lists. Takes a few seconds;\n"
    "--quick takes less, measures less exactly, and reads less memory. RONDO_ISA=avx2 measures as\n"
    "on a machine without AVX-512.\n";

struct Options {
    std::vector<int> threads;
    bool json = false;
    bool help = false;
    CalibrationOptions calibration;
};

std::vector<int> parse_threads(const std::string& text) {
    std::vector<int> counts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string item = text.substr(at, end - at);
        char* rest = nullptr;
        const long count = std::strtol(item.c_str(), &rest, 10);
        if (item.empty() || *rest != '\0' || count < 1 || count > 1024) {
            throw ModelError("--threads is '" + text +
                             "'; expected numbers from 1 to 1024, as 1,2");
        }
        counts.push_back(static_cast<int>(count));
        at = end + 1;
    }
    return counts;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--json") {
            options.json = true;
        } else if (argument == "--quick") {
            options.calibration = {0.02, std::int64_t{64} << 20, {}};
        } else if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else if (argument == "--threads" && i + 1 < argc) {
            options.threads = parse_threads(argv[++i]);
        } else {
            throw ModelError("unknown argument '" + argument + "'; --help lists the known ones");
        }
    }
    if (options.threads.empty()) {
        const int all = static_cast<int>(std::thread::hardware_concurrency());
        options.threads = {1};
        if (all > 1) options.threads.push_back(all);
    }
    return options;
}

// What the CPU calls itself is put between quotes in JSON.
std::string plain_text(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '"' || c == '\\' || c < ' ' ? '_' : c;
    return safe;
}

void print_json(Isa isa, const CpuFeatures& features, const std::vector<Calibration>& results) {
    std::printf(
        "{\"cpu\": \"%s\", \"isa\": \"%s\", \"cpus\": %u,\n \"caches\": "
        "{\"l1\": %lld, \"l2\": %lld, \"l3\": %lld},\n \"calibrations\": [",
        plain_text(features.brand).c_str(), name_of(isa), std::thread::hardware_concurrency(),
        static_cast<long long>(features.l1_bytes), static_cast<long long>(features.l2_bytes),
        static_cast<long long>(features.l3_bytes));
    const char* between = "\n";
    for (const Calibration& result : results) {
        std::printf(
            "%s  {\"threads\": %d, \"gflops\": {\"best\": %.4g, \"median\": %.4g},\n"
            "   \"read_gbps\": {",
            between, result.threads, result.gigaflops.best, result.gigaflops.median);
        const char* comma = "";
        for (const LevelRate& read : result.reads) {
            std::printf("%s\"%s\": {\"best\": %.4g, \"median\": %.4g, \"bytes_each\": %lld}", comma,
                        read.level.c_str(), read.gigabytes.best, read.gigabytes.median,
                        static_cast<long long>(read.bytes_each));
            comma = ", ";
        }
        std::printf("}}");
        between = ",\n";
    }
    std::printf("\n ]}\n");
}

void print_table(Isa isa, const CpuFeatures& features, const std::vector<Calibration>& results) {
    std::printf("%s, %s; best (median) of all threads together\n", features.brand.c_str(),
                name_of(isa));
    for (const Calibration& result : results) {
        std::printf("%d thread%s\n", result.threads, result.threads == 1 ? "" : "s");
        std::printf("  %-24s %8.1f (%.1f) GFLOP/s\n", "multiply-adds", result.gigaflops.best,
                    result.gigaflops.median);
        for (const LevelRate& read : result.reads) {
            char name[64];
            std::snprintf(name, sizeof(name), "%s, %lld KiB each", read.level.c_str(),
                          static_cast<long long>(read.bytes_each / 1024));
            std::printf("  %-24s %8.1f (%.1f) GB/s\n", name, read.gigabytes.best,
                        read.gigabytes.median);
        }
    }
}

VectorSet vector_set(Isa isa) {
    if (isa == Isa::plain) return VectorSet::plain;
    return isa == Isa::avx2 ? VectorSet::avx2 : VectorSet::avx512;
}

int run(int argc, char** argv) {
    const Options options = parse(argc, argv);
    if (options.help) {
        std::fputs(kUsage, stdout);
        return 0;
    }
    const Isa isa = best_isa();
    const CpuFeatures& features = cpu_features();
    const tool::CacheSizes caches{features.l1_bytes, features.l2_bytes, features.l3_bytes};
    std::vector<Calibration> results;
    for (const int threads : options.threads) {
        results.push_back(calibrate(vector_set(isa), caches, threads, options.calibration));
    }
    (options.json ? print_json : print_table)(isa, features, results);
    return 0;
}

}  // namespace
}  // namespace rondo::cpu::bench

int main(int argc, char** argv) {
    try {
        return rondo::cpu::bench::run(argc, argv);
    } catch (const rondo::Error& error) {
        std::fprintf(stderr, "rondo_calibrate: %s\n", error.what());
        return 1;
    }
}
