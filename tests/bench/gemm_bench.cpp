// The packed matrix product on one thread.
#include <benchmark/benchmark.h>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

struct ProductSizes {
    std::int64_t m, k, n;
};

void run_gemm(benchmark::State& state, const GemmKernelEntry* entry, ProductSizes sizes) {
    const auto a = random_floats(sizes.m * sizes.k), b = random_floats(sizes.k * sizes.n);
    std::vector<float> c(static_cast<std::size_t>(sizes.m * sizes.n));
    const auto kernel = entry->make();
    const PackedMatrix packed = kernel->pack(row_major(b.data(), sizes.k, sizes.n));
    GemmArgs args;
    args.m = sizes.m;
    args.a = a.data();
    args.a_stride = sizes.k;
    args.c = c.data();
    args.c_stride = sizes.n;
    for (auto _ : state) kernel->run(packed.view, args);
    state.counters["FLOP/s"] =
        benchmark::Counter(2.0 * static_cast<double>(sizes.m * sizes.k * sizes.n),
                           benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void add_gemm_benchmarks() {
    for (const GemmKernelEntry& entry : gemm_kernels()) {
        if (entry.isa > cpu_features().best() || entry.isa == Isa::plain) continue;
        if (entry.weights != ElementType::f32) continue;
        for (const ProductSizes& sizes : {ProductSizes{1, 128, 512},
                                          {1, 512, 2048},
                                          {16, 256, 1024},
                                          {100, 64, 256},
                                          {100, 512, 2048},
                                          {512, 512, 512},
                                          {1000, 40, 10}}) {
            const std::string name = std::string(entry.name) + "/" + std::to_string(sizes.m) + "x" +
                                     std::to_string(sizes.k) + "x" + std::to_string(sizes.n);
            benchmark::RegisterBenchmark(name.c_str(), run_gemm, &entry, sizes);
        }
    }
}

}  // namespace rondo::cpu::bench
