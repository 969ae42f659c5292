#include "plugins/cpu/kernels/product/few_rows.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/product/gemm.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kMostRows = 4, kFewestColumns = 8;
constexpr std::int64_t kBlock = 128;  // columns whose part of B serves all rows from the cache

}  // namespace

FewRows::FewRows(const TapKernel& weighted_sum, Precision precision, const ProductSizes& sizes,
                 int threads)
    : kernel_(weighted_sum),
      sizes_(sizes),
      element_(static_cast<std::int64_t>(bytes_of(precision))),
      lines_(static_cast<std::size_t>(sizes.k) * sizeof(void*), threads) {}

bool FewRows::suits(const ProductSizes& sizes) {
    return sizes.m <= kMostRows && sizes.n >= kFewestColumns;
}

void FewRows::run(const FewRowsArgs& args, Team& team) const {
    const std::int64_t blocks = divide_up(sizes_.n, kBlock);
    const double flops = 2.0 * static_cast<double>(sizes_.m * kBlock) *
                         static_cast<double>(std::max<std::int64_t>(sizes_.k, 1));
    const auto grain = static_cast<std::int64_t>(kFlopsWorthAThread / flops) + 1;
    lines_.share(team, blocks, grain, args.scratch,
                 [&](std::int64_t begin, std::int64_t end, std::byte* lines) {
                     const std::int64_t step = sizes_.m == 1 ? end - begin : 1;
                     for (std::int64_t block = begin; block < end; block += step) {
                         run_columns(args,
                                     {block * kBlock, std::min((block + step) * kBlock, sizes_.n)},
                                     reinterpret_cast<const void**>(lines));
                     }
                 });
}

void FewRows::run_columns(const FewRowsArgs& args, Range columns, const void** lines) const {
    const auto* b = static_cast<const std::byte*>(args.b);  // null where there are no rows
    for (std::int64_t k = 0; k < sizes_.k; ++k) {
        lines[k] = b + (k * sizes_.n + columns.begin) * element_;
    }
    for (std::int64_t row = 0; row < sizes_.m; ++row) {
        const std::int64_t first = row * sizes_.n;
        TapRun run;
        run.lines = lines;
        run.factors = static_cast<const std::byte*>(args.a) + row * sizes_.k * element_;
        run.taps = sizes_.k;
        run.out = static_cast<std::byte*>(args.c) + (first + columns.begin) * element_;
        run.count = columns.size();
        kernel_.run(run);
        if (args.done != nullptr) (*args.done)({first + columns.begin, first + columns.end});
    }
}

}  // namespace rondo::cpu
