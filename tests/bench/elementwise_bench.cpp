// Activations on 4096 floats in the L1.
#include <benchmark/benchmark.h>

#include "plugins/cpu/kernels/kernel_list.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr std::int64_t kSize = 4096;

void run_unary(benchmark::State& state, const UnaryKernelEntry* entry, UnaryConfig config) {
    const auto src = random_floats(kSize);
    std::vector<float> dst(src.size());
    const auto kernel = entry->make(config);
    for (auto _ : state) {
        kernel->run(src.data(), dst.data(), kSize);
        benchmark::DoNotOptimize(dst.data());
    }
    state.SetItemsProcessed(state.iterations() * kSize);
}

}  // namespace

void add_elementwise_benchmarks() {
    for (const UnaryKernelEntry& entry : unary_kernels()) {
        if (entry.isa > cpu_features().best() || entry.isa == Isa::plain) continue;
        const auto add = [&](const char* function, const UnaryConfig& config) {
            const std::string name = std::string(entry.name) + "/" + function;
            benchmark::RegisterBenchmark(name.c_str(), run_unary, &entry, config);
        };
        add("Exp", {UnaryKind::exp, {}});
        for (ActivationKind kind : all_activation_kinds()) {
            add(name_of(kind), {UnaryKind::activation, default_activation(kind)});
        }
    }
}

}  // namespace rondo::cpu::bench
