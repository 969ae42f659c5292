// Products of 8-bit integers and rounding to 8 bits, on one thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/byte_gemm.hpp"
#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

struct ByteSizes {
    std::int64_t m, k, n;
};

std::vector<std::uint8_t> random_bytes(std::int64_t count) {
    std::vector<std::uint8_t> bytes;
    for (const float value : random_floats(count)) {
        bytes.push_back(static_cast<std::uint8_t>(static_cast<int>(value * 127.0F) + 128));
    }
    return bytes;
}

// With the rows of A centred in each run, as MatMulInteger does.
void run_byte_gemm(benchmark::State& state, Isa isa, ByteSizes sizes) {
    const auto [m, k, n] = sizes;
    const auto a = random_bytes(m * k), b = random_bytes(k * n), zeros = random_bytes(n);
    const auto kernel = shared_byte_kernel(isa, ElementType::i32);
    AlignedBytes panels(kernel->packed_bytes(k, n));
    kernel->pack({b.data(), true}, k, n, panels.data(), {0, byte_panels(n)});
    AlignedBytes rows(static_cast<std::size_t>(kernel->rows_read(m) * kernel->row_bytes(k)));
    std::vector<std::int32_t> sums(static_cast<std::size_t>(m)), row_zeros(sums.size());
    std::vector<std::int32_t> c(static_cast<std::size_t>(m * n));
    ByteGemm gemm;
    gemm.rows = rows.data();
    gemm.sums = sums.data();
    gemm.row_zeros = row_zeros.data();
    gemm.panels = {panels.data(), true};
    gemm.zero_points = {zeros.data(), true};
    gemm.zero_point_step = 1;
    gemm.c = c.data();
    gemm.k = k;
    gemm.n = n;
    constexpr std::int64_t kTile = 64;
    for (auto _ : state) {
        for (std::int64_t i = 0; i < m; ++i) {
            const ByteRow row = kernel->load_row({a.data() + i * k, false}, k, 128,
                                                 rows.data() + i * kernel->row_bytes(k));
            sums[static_cast<std::size_t>(i)] = row.sum;
            row_zeros[static_cast<std::size_t>(i)] = row.zero;
        }
        for (std::int64_t row = 0; row < m; row += kTile) {
            kernel->run(gemm, {row, std::min(row + kTile, m)}, {0, byte_panels(n)});
        }
    }
    state.counters["OP/s"] = benchmark::Counter(2.0 * static_cast<double>(m * k * n),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

void run_quantize(benchmark::State& state, Isa isa, std::int64_t count) {
    const auto x = random_floats(count);
    std::vector<std::uint8_t> to(x.size());
    for (auto _ : state) {
        const ByteScale by = byte_scale(byte_range(isa, x.data(), count));
        quantize_bytes(isa, x.data(), count, by, to.data());
    }
    state.SetBytesProcessed(state.iterations() * count * std::int64_t{sizeof(float)});
}

}  // namespace

void add_quantization_benchmarks() {
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        for (const ByteSizes& sizes : {ByteSizes{1, 512, 73},
                                       {40, 512, 73},
                                       {64, 64, 64},
                                       {256, 768, 768},
                                       {1024, 256, 256}}) {
            const std::string name = std::string("byte_gemm_") + name_of(isa) + "/" +
                                     std::to_string(sizes.m) + "x" + std::to_string(sizes.k) + "x" +
                                     std::to_string(sizes.n);
            benchmark::RegisterBenchmark(name.c_str(), run_byte_gemm, isa, sizes);
        }
        for (const std::int64_t count : {1000, 20000, 1000000}) {
            const std::string name =
                std::string("dynamic_quantize_") + name_of(isa) + "/" + std::to_string(count);
            benchmark::RegisterBenchmark(name.c_str(), run_quantize, isa, count);
        }
    }
}

}  // namespace rondo::cpu::bench
