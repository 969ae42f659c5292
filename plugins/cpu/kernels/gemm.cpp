#include "plugins/cpu/kernels/gemm.hpp"

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/kernel_list.hpp"

namespace rondo::cpu {
namespace {

// A slice must be worth a thread's wake-up: about 10 us of work at 50 GFLOP/s.
constexpr double kSliceFlops = 5e5;

// The arguments for rows [begin, end) of `args`.
GemmArgs rows_of(const GemmArgs& args, std::int64_t begin, std::int64_t end) {
    GemmArgs part = args;
    part.m = end - begin;
    if (args.a_rows != nullptr) {
        part.a_rows = args.a_rows + begin;
    } else {
        part.a = args.a + begin * args.a_stride;
    }
    if (args.c_rows != nullptr) {
        part.c_rows = args.c_rows + begin;
    } else {
        part.c = args.c + begin * args.c_stride;
    }
    return part;
}

}  // namespace

MatrixView row_major(const float* data, std::int64_t k, std::int64_t n) {
    return {data, k, n, n, 1};
}

MatrixView transposed(const float* data, std::int64_t k, std::int64_t n) {
    return {data, k, n, 1, k};
}

std::size_t GemmKernel::packed_size(std::int64_t k, std::int64_t n) const {
    return static_cast<std::size_t>((k + 1) * panels(n) * lanes_);
}

PackedMatrix GemmKernel::pack(const MatrixView& b, const float* bias) const {
    PackedMatrix packed;
    packed.memory = AlignedBuffer(packed_size(b.k, b.n));
    packed.view = pack_into(b, bias, packed.memory.data());
    return packed;
}

PackedView GemmKernel::pack_into(const MatrixView& b, const float* bias, float* memory) const {
    const std::int64_t padded = panels(b.n) * lanes_;
    std::memset(memory, 0, static_cast<std::size_t>(padded) * sizeof(float));
    if (bias != nullptr) std::memcpy(memory, bias, static_cast<std::size_t>(b.n) * sizeof(float));
    float* out = memory + padded;
    for (std::int64_t first = 0; first < b.n; first += lanes_) {
        const std::int64_t columns = std::min<std::int64_t>(lanes_, b.n - first);
        for (std::int64_t k = 0; k < b.k; ++k, out += lanes_) {
            const float* row = b.data + k * b.row_stride + first * b.column_stride;
            for (std::int64_t j = 0; j < columns; ++j) out[j] = row[j * b.column_stride];
            for (std::int64_t j = columns; j < lanes_; ++j) out[j] = 0.0f;
        }
    }
    return {b.k, b.n, memory + padded, memory};
}

void GemmKernel::run(const PackedView& b, const GemmArgs& args) const {
    if (args.m > 0 && b.n > 0) run_panels(b, args, {0, panels(b.n)});
}

void GemmKernel::run(const PackedView& b, const GemmArgs& args, Team& team) const {
    const double flops =
        2.0 * static_cast<double>(args.m) * static_cast<double>(b.n) * static_cast<double>(b.k);
    const int wanted = static_cast<int>(std::min<double>(team.size(), flops / kSliceFlops));
    if (wanted < 2) return run(b, args);
    // Rows where there are many: each thread then streams all of B once. Else panels.
    if (args.m >= 16 * wanted) {
        team.run(wanted, [&](int slice) {
            run(b, rows_of(args, args.m * slice / wanted, args.m * (slice + 1) / wanted));
        });
        return;
    }
    const std::int64_t count = panels(b.n);
    team.run(wanted, [&](int slice) {
        const PanelRange range{count * slice / wanted, count * (slice + 1) / wanted};
        if (range.begin < range.end) run_panels(b, args, range);
    });
}

std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa) {
    return best_entry(gemm_kernels(), isa)->make();
}

}  // namespace rondo::cpu
