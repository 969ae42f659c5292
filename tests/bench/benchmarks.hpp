// The groups of benchmarks; each adds its cases to Google Benchmark's list.
#pragma once

namespace rondo::cpu::bench {

void add_bodies_benchmarks();
void add_compile_benchmarks();
void add_elementwise_benchmarks();
void add_fused_benchmarks();
void add_gemm_benchmarks();
void add_infer_benchmarks();
void add_quantization_benchmarks();
void add_recurrent_benchmarks();
void add_stacked_benchmarks();
void add_typed_benchmarks();

}  // namespace rondo::cpu::bench
