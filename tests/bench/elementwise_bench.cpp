// Activations on 4096 numbers, f32 or f64.
#include <benchmark/benchmark.h>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr std::int64_t kSize = 4096;

template <typename T>
void run_unary(benchmark::State& state, const UnaryKernelEntry* entry, UnaryConfig config) {
    const auto floats = random_floats(kSize);
    const std::vector<T> src(floats.begin(), floats.end());
    std::vector<T> dst(src.size());
    config.precision = entry->precision;
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
        const auto add = [&](std::string_view function, const UnaryConfig& config) {
            const std::string name = std::string(entry.name) + "/" + std::string(function);
            const bool wide = entry.precision == Precision::f64;
            benchmark::RegisterBenchmark(name.c_str(), wide ? run_unary<double> : run_unary<float>,
                                         &entry, config);
        };
        add("Exp", {UnaryKind::exp, {}});
        for (const ops::ActivationInfo& info : ops::kActivations) {
            add(info.name, {UnaryKind::activation, default_activation(info.kind)});
        }
    }
}

}  // namespace rondo::cpu::bench
