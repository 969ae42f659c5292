#include "plugins/cpu/kernels/product/compressed_gemm.hpp"

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/product/avx_loops.hpp"

namespace rondo::cpu {
namespace {

// Panels that are widened together: they stay in the L2 beside the rows.
constexpr std::int64_t kWidenedBytes = 256 * 1024;

float rounded(float value, bool to_f16) {
    return to_f16 ? static_cast<float>(float16(value)) : value;
}

void widen_plain(const CompressedPanel& panel, float* to) {
    for (std::int64_t i = 0; i < panel.k * panel.lanes; ++i) {
        const std::int64_t lane = i % panel.lanes;
        const float less = static_cast<float>(panel.bytes[i]) - panel.zeros[lane];
        to[i] = rounded(less * panel.scales[lane], panel.rounds_to_f16);
    }
}

}  // namespace

CompressedGemm::CompressedGemm(Isa isa, std::shared_ptr<const GemmKernel> kernel,
                               const CompressedBytes& b, const float* bias)
    : isa_(isa),
      kernel_(std::move(kernel)),
      n_(b.n),
      k_(b.k),
      group_(b.group),
      rounds_to_f16_(b.rounds_to_f16) {
    pack(b, bias);
}

// From panel to panel.
std::size_t CompressedGemm::panel_bytes() const {
    const auto lanes = static_cast<std::size_t>(kernel_->lanes());
    const auto pairs = static_cast<std::size_t>(groups()) * 2 * lanes * sizeof(float);
    return whole_lines(pairs) + whole_lines(static_cast<std::size_t>(k_) * lanes);
}

std::int64_t CompressedGemm::panels_at_once() const {
    const std::int64_t widened = k_ * kernel_->lanes() * kernel_->scalar_bytes();
    return std::clamp<std::int64_t>(kWidenedBytes / std::max<std::int64_t>(widened, 1), 1,
                                    std::max<std::int64_t>(panels(), 1));
}

void CompressedGemm::pack(const CompressedBytes& b, const float* bias) {
    const std::int64_t lanes = kernel_->lanes();
    const std::size_t bias_bytes =
        whole_lines(static_cast<std::size_t>(panels() * lanes) * sizeof(float));
    const auto fill = [&](std::byte* memory) {
        if (bias != nullptr) {
            std::memcpy(memory, bias, static_cast<std::size_t>(n_) * sizeof(float));
        }
        for (std::int64_t column = 0; column < n_; ++column) {
            std::byte* panel =
                memory + bias_bytes + static_cast<std::size_t>(column / lanes) * panel_bytes();
            const std::int64_t lane = column % lanes;
            auto* pairs = reinterpret_cast<float*>(panel);
            for (std::int64_t group = 0; group < groups(); ++group, pairs += 2 * lanes) {
                pairs[lane] = b.zeros[column * groups() + group];
                pairs[lanes + lane] = b.scales[column * groups() + group];
            }
            auto* to = reinterpret_cast<std::uint8_t*>(panel + panel_bytes()) -
                       whole_lines(static_cast<std::size_t>(k_ * lanes)) + lane;
            const std::uint8_t* from = b.bytes + column * b.n_stride;
            for (std::int64_t k = 0; k < k_; ++k) to[k * lanes] = from[k * b.k_stride];
        }
    };
    const auto describe = [&](Digester& source) {
        source.add_text("compressed");
        for (const std::int64_t number : {k_, n_, group_, lanes, b.k_stride, b.n_stride}) {
            source.add_number(static_cast<std::uint64_t>(number));
        }
        const bool any = k_ > 0 && n_ > 0;
        const std::int64_t last = (k_ - 1) * b.k_stride + (n_ - 1) * b.n_stride;
        add_numbers(b.bytes, any ? last + 1 : 0, 1, source);
        add_numbers(b.zeros, n_ * groups(), sizeof(float), source);
        add_numbers(b.scales, n_ * groups(), sizeof(float), source);
        add_numbers(bias, n_, sizeof(float), source);
    };
    memory_ = SharedBytes(bias_bytes + panel_bytes() * static_cast<std::size_t>(panels()), fill,
                          describe);
}

std::size_t CompressedGemm::widened_bytes() const {
    const std::int64_t widened = panels_at_once() * k_ * kernel_->lanes() * kernel_->scalar_bytes();
    return whole_lines(static_cast<std::size_t>(widened));
}

std::size_t CompressedGemm::scratch_bytes(std::int64_t rows, int threads) const {
    return multiplies_in_registers(rows) ? 0 : widened_bytes() * static_cast<std::size_t>(threads);
}

CompressedPanel CompressedGemm::part(std::int64_t panel, std::int64_t group) const {
    const std::int64_t lanes = kernel_->lanes();
    const std::byte* from = memory_.data() + memory_.size() -
                            panel_bytes() * static_cast<std::size_t>(panels() - panel);
    const auto* pairs = reinterpret_cast<const float*>(from) + 2 * lanes * group;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(from + panel_bytes()) -
                        whole_lines(static_cast<std::size_t>(k_ * lanes));
    return {bytes + group * group_ * lanes, pairs,         pairs + lanes, group_,
            static_cast<int>(lanes),        rounds_to_f16_};
}

void CompressedGemm::widen(std::int64_t panel, float* to) const {
    for (std::int64_t group = 0; group < groups(); ++group, to += group_ * kernel_->lanes()) {
        isa_ == Isa::plain ? widen_plain(part(panel, group), to)
                           : avx::widen(isa_, part(panel, group), to);
    }
}

void CompressedGemm::multiply_row(const float* row, Range range, float* c) const {
    const std::int64_t lanes = kernel_->lanes();
    alignas(kCacheLine) float sums[kCompressedPanels * kCacheLine / sizeof(float)] = {};
    float* of_panels[kCompressedPanels];
    std::copy_n(bias() + range.begin * lanes, range.size() * lanes, sums);
    for (int i = 0; i < kCompressedPanels; ++i) of_panels[i] = sums + i * lanes;
    for (std::int64_t group = 0; group < groups(); ++group) {
        CompressedPanel parts[kCompressedPanels];
        for (int i = 0; i < kCompressedPanels; ++i) {
            parts[i] = part(std::min(range.begin + i, range.end - 1), group);
        }
        avx::add_products(isa_, parts, row + group * group_, of_panels);
    }
    std::copy_n(sums, std::min(n_ - range.begin * lanes, range.size() * lanes), c);
}

void CompressedGemm::run_part(const GemmArgs& args, const Part& part, const BlockWork* work,
                              void* scratch) const {
    const Range rows = part.rows, range = part.panels;
    if (rows.empty() || range.empty()) return;
    const std::int64_t lanes = kernel_->lanes();
    auto* widened = static_cast<float*>(scratch);
    auto* c = static_cast<float*>(args.c);
    if (multiplies_in_registers(args.m)) {
        for (std::int64_t first = range.begin; first < range.end; first += kCompressedPanels) {
            const std::int64_t last = std::min(range.end, first + kCompressedPanels);
            const Range columns{first * lanes, std::min(n_, last * lanes)};
            multiply_row(static_cast<const float*>(args.a), {first, last}, c + columns.begin);
            if (work != nullptr) work->done({0, 1}, columns);
        }
        return;
    }
    for (std::int64_t first = range.begin; first < range.end; first += panels_at_once()) {
        const std::int64_t last = std::min(range.end, first + panels_at_once());
        for (std::int64_t panel = first; panel < last; ++panel) {
            widen(panel, widened + (panel - first) * k_ * lanes);
        }
        const Range columns{first * lanes, std::min(n_, last * lanes)};
        PackedView view;
        view.k = k_;
        view.n = columns.size();
        view.panels = widened;
        view.bias = bias() + columns.begin;
        GemmArgs some = args;
        some.m = rows.size();
        some.a = static_cast<const float*>(args.a) + rows.begin * args.a_stride;
        some.c = c + rows.begin * args.c_stride + columns.begin;
        kernel_->run(view, some);
        if (work != nullptr) work->done(rows, columns);
    }
}

// A team takes rows where there are many of them and few panels: each thread widens all of B then.
void CompressedGemm::run(const GemmArgs& args, Team& team, const BlockWork* work,
                         void* scratch) const {
    if (args.m == 0 || n_ == 0) return;
    const double flops = static_cast<double>(args.m + 1) * static_cast<double>(n_) *
                         (2.0 * static_cast<double>(k_) + (work ? work->element_flops : 0));
    const auto wanted = static_cast<int>(std::min<double>(team.size(), flops / kFlopsWorthAThread));
    if (wanted < 2) return run_part(args, {{0, args.m}, {0, panels()}}, work, scratch);
    constexpr std::int64_t kFewPanels = 4, kManyRows = 16;  // a thread
    const bool by_rows = panels() < kFewPanels * wanted && args.m >= kManyRows * wanted;
    team.run(wanted, [&](int slice) {
        const Range all_rows{0, args.m}, all_panels{0, panels()};
        const Part part{by_rows ? slice_of(args.m, slice, wanted) : all_rows,
                        by_rows ? all_panels : slice_of(panels(), slice, wanted)};
        run_part(args, part, work,
                 static_cast<char*>(scratch) + widened_bytes() * static_cast<std::size_t>(slice));
    });
}

}  // namespace rondo::cpu
