// rondo_bench: speed of the CPU kernels, what infer() adds, and how long compiling takes.
// Example: rondo_bench --benchmark_filter=lstm_avx512.*N:1/
#include <benchmark/benchmark.h>

#include "tests/bench/benchmarks.hpp"

int main(int argc, char** argv) {
    rondo::cpu::bench::add_bodies_benchmarks();
#ifdef RONDO_HAS_ONNX
    rondo::cpu::bench::add_compile_benchmarks();
#endif
    rondo::cpu::bench::add_elementwise_benchmarks();
    rondo::cpu::bench::add_fused_benchmarks();
    rondo::cpu::bench::add_gemm_benchmarks();
    rondo::cpu::bench::add_infer_benchmarks();
    rondo::cpu::bench::add_quantization_benchmarks();
    rondo::cpu::bench::add_recurrent_benchmarks();
    rondo::cpu::bench::add_stacked_benchmarks();
    rondo::cpu::bench::add_typed_benchmarks();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
