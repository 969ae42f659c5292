#include "plugins/cpu/kernels/product/gemm.hpp"

#include <algorithm>
#include <cstring>

#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/product/panel_pack.hpp"

namespace rondo::cpu {
namespace {

// A block of C stays in the cache; its rows are many enough that reading B again costs little.
constexpr std::int64_t kBlockBytes = 1 << 16;
constexpr std::int64_t kBlockRows = 64;

// `element_flops`: of the work on an element of C besides its sum.
int wanted_threads(const PackedView& b, const GemmArgs& args, const Team& team,
                   double element_flops = 0) {
    const double flops = static_cast<double>(args.m) * static_cast<double>(b.n) *
                         (2.0 * static_cast<double>(b.k) + element_flops);
    return static_cast<int>(std::min<double>(team.size(), flops / kFlopsWorthAThread));
}

// Rows where there are many: each thread then streams all of B once. Else panels.
bool splits_rows(const GemmArgs& args, int threads) { return args.m >= 16 * threads; }

}  // namespace

MatrixView row_major(const void* data, std::int64_t k, std::int64_t n) {
    return {data, k, n, n, 1};
}

MatrixView transposed(const void* data, std::int64_t k, std::int64_t n) {
    return {data, k, n, 1, k};
}

// The padded bias.
std::size_t GemmKernel::vector_bytes(std::int64_t n) const {
    return whole_lines(static_cast<std::size_t>(panels(n) * lanes_ * scalar_bytes()));
}

std::size_t GemmKernel::scales_bytes(std::int64_t n) const {
    if (!format_.integers()) return 0;
    return whole_lines(static_cast<std::size_t>(panels(n) * lanes_) * sizeof(float));
}

std::size_t GemmKernel::sums_bytes(std::int64_t n) const {
    return scales_bytes(n) * static_cast<std::size_t>(format_.weight_planes());
}

std::size_t GemmKernel::packed_bytes(std::int64_t k, std::int64_t n) const {
    const std::int64_t weights = panels(n) * lanes_ * padded_k(k) * weight_bytes();
    return vector_bytes(n) + scales_bytes(n) + sums_bytes(n) +
           whole_lines(static_cast<std::size_t>(weights));
}

// The bias, the scales and the sums of columns, the panels.
PackedView GemmKernel::packed_at(std::int64_t k, std::int64_t n, const void* memory) const {
    const char* scales = static_cast<const char*>(memory) + vector_bytes(n);
    const char* sums = scales + scales_bytes(n);
    PackedView view{k, n, sums + sums_bytes(n), memory, nullptr, nullptr};
    if (!format_.integers()) return view;
    view.scales = reinterpret_cast<const float*>(scales);
    view.sums = reinterpret_cast<const std::int32_t*>(sums);
    return view;
}

PackedMatrix GemmKernel::pack(const MatrixView& b, const void* bias, const float* scales) const {
    const auto describe = [&](Digester& source) {
        source.add_text(name_of(format_));
        for (const std::int64_t number :
             {b.k, b.n, b.row_stride, b.column_stride, std::int64_t{lanes_},
              std::int64_t{together_}, std::int64_t{padded_to_}}) {
            source.add_number(static_cast<std::uint64_t>(number));
        }
        const bool any = b.k > 0 && b.n > 0;
        const std::int64_t last = (b.k - 1) * b.row_stride + (b.n - 1) * b.column_stride;
        add_numbers(b.data, any ? last + 1 : 0, weight_bytes(), source);
        add_numbers(bias, b.n, scalar_bytes(), source);
        add_numbers(scales, b.n, sizeof(float), source);
    };
    PackedMatrix packed;
    packed.memory = SharedBytes(
        packed_bytes(b.k, b.n),
        [&](std::byte* memory) { static_cast<void>(pack_into(b, bias, memory, scales)); },
        describe);
    packed.view = packed_at(b.k, b.n, packed.memory.data());
    return packed;
}

PackedView GemmKernel::pack_into(const MatrixView& b, const void* bias, void* memory,
                                 const float* scales) const {
    const PackedView view = packed_at(b.k, b.n, memory);
    const std::int64_t column_bytes = weight_bytes();
    auto* out = static_cast<char*>(memory);
    std::memset(out, 0, vector_bytes(b.n));
    if (bias != nullptr) std::memcpy(out, bias, static_cast<std::size_t>(b.n * scalar_bytes()));
    const auto place = [&](const void* part) {
        return out + (static_cast<const char*>(part) - static_cast<const char*>(view.bias));
    };
    if (view.scales != nullptr) {
        auto* to = reinterpret_cast<float*>(place(view.scales));
        std::fill_n(to, panels(b.n) * lanes_, scales == nullptr ? 1.0F : 0.0F);
        if (scales != nullptr) std::copy_n(scales, b.n, to);
    }
    for (std::int64_t panel = 0; panel < panels(b.n); ++panel) {
        const std::int64_t first = panel * lanes_;
        const auto* data = static_cast<const char*>(b.data);  // null where there are no rows
        const char* column = b.k == 0 ? data : data + first * b.column_stride * column_bytes;
        const std::int64_t columns = std::min<std::int64_t>(lanes_, b.n - first);
        const PanelTarget target{place(view.panels) + first * padded_k(b.k) * column_bytes, lanes_,
                                 lanes_};
        std::int32_t* sums = nullptr;
        if (view.sums != nullptr) {
            sums =
                reinterpret_cast<std::int32_t*>(place(view.sums)) + first * format_.weight_planes();
        }
        if (format_.rounds_rows()) {
            std::memset(target.data, 0,
                        static_cast<std::size_t>(padded_k(b.k) * lanes_ * column_bytes));
        }
        pack_columns({column, b.k, b.row_stride, columns, b.column_stride}, target, format_,
                     together_, sums);
    }
    return view;
}

// The arguments for rows [begin, end) of `args`.
GemmArgs GemmKernel::rows_of(const GemmArgs& args, std::int64_t begin, std::int64_t end) const {
    GemmArgs part = args;
    part.m = end - begin;
    if (args.a_rows != nullptr) {
        part.a_rows = args.a_rows + begin;
    } else {
        part.a = a_row(args, begin, scalar_bytes());
    }
    part.c = c_row(args, begin, scalar_bytes());
    return part;
}

void GemmKernel::run(const PackedView& b, const GemmArgs& args) const {
    if (args.m > 0 && b.n > 0) run_panels(b, args, {0, panels(b.n)});
}

void GemmKernel::run(const PackedView& b, const GemmArgs& args, Team& team) const {
    const int wanted = wanted_threads(b, args, team);
    if (wanted < 2) return run(b, args);
    if (splits_rows(args, wanted)) {
        team.run(wanted, [&](int slice) {
            const Range rows = slice_of(args.m, slice, wanted);
            run(b, rows_of(args, rows.begin, rows.end));
        });
        return;
    }
    const std::int64_t count = panels(b.n);
    team.run(wanted, [&](int slice) {
        const Range range = slice_of(count, slice, wanted);
        if (!range.empty()) run_panels(b, args, range);
    });
}

void GemmKernel::run_rows(const PackedView& b, const GemmArgs& args, Range rows,
                          const BlockWork& work) const {
    if (rows.size() <= kBlockRows) {
        run(b, rows_of(args, rows.begin, rows.end));
        return work.done(rows, {0, b.n});
    }
    const std::int64_t row_bytes = b.n * scalar_bytes();
    const std::int64_t most = std::max(kBlockRows, kBlockBytes / row_bytes);
    const std::int64_t blocks = divide_up(rows.size(), most);
    for (std::int64_t i = 0; i < blocks; ++i) {
        const Range part = slice_of(rows.size(), i, blocks);
        const Range block{rows.begin + part.begin, rows.begin + part.end};
        run(b, rows_of(args, block.begin, block.end));
        work.done(block, {0, b.n});
    }
}

void GemmKernel::run(const PackedView& b, const GemmArgs& args, Team& team,
                     const BlockWork& work) const {
    if (args.m == 0 || b.n == 0) return;
    const int wanted = wanted_threads(b, args, team, work.element_flops);
    if (wanted < 2) return run_rows(b, args, {0, args.m}, work);
    if (splits_rows(args, wanted)) {
        team.run(wanted,
                 [&](int slice) { run_rows(b, args, slice_of(args.m, slice, wanted), work); });
        return;
    }
    team.run(wanted, [&](int slice) {
        const Range range = slice_of(panels(b.n), slice, wanted);
        if (range.empty()) return;
        run_panels(b, args, range);
        work.done({0, args.m}, {range.begin * lanes_, std::min(range.end * lanes_, b.n)});
    });
}

}  // namespace rondo::cpu
