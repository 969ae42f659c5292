#include "plugins/cpu/kernels/choice/kernel_list.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

template <Isa isa>
std::unique_ptr<ElementwiseKernel> jit_elementwise(const ElementwiseProgram& program) {
    return jit::make_elementwise(isa, program);
}

template <Isa isa>
std::unique_ptr<TapKernel> jit_taps(const TapConfig& config) {
    return jit::make_taps(isa, config);
}

// The axes of the lists, the best instruction set first. Formats that round rows are the last.
constexpr Isa kIsas[] = {Isa::avx512, Isa::avx2, Isa::plain};
constexpr std::size_t kProducts = std::size(kIsas) * std::size(kWeightFormats);
constexpr std::size_t kExactProducts =
    std::size(kIsas) * (std::size(kWeightFormats) - std::size(kRoundingFormats));

// "lstm_avx512_f32"
struct KernelName {
    char text[32] = {};
};

constexpr KernelName joined(std::initializer_list<std::string_view> parts) {
    KernelName name;
    std::size_t size = 0;
    for (const std::string_view part : parts) {
        if (size > 0) name.text[size++] = '_';
        for (const char letter : part) name.text[size++] = letter;
    }
    return name;
}

// Calls visit(isa, weights) for every matrix product.
template <typename Visit>
constexpr void visit_products(Visit visit) {
    for (const NamedFormat& weights : kWeightFormats) {
        for (const Isa isa : kIsas) visit(isa, weights);
    }
}

// Calls visit(isa, weights, cell) for every cell.
template <typename Visit>
constexpr void visit_cells(Visit visit) {
    visit_products([&](Isa isa, const NamedFormat& weights) {
        for (const ops::CellInfo& cell : ops::kCells) visit(isa, weights, cell);
    });
}

constexpr auto kCellNames = [] {
    std::array<KernelName, kProducts * std::size(ops::kCells)> names{};
    std::size_t index = 0;
    visit_cells([&](Isa isa, const NamedFormat& weights, const ops::CellInfo& cell) {
        names[index++] = joined({cell.name, name_of(isa), weights.name});
    });
    return names;
}();

constexpr auto kCells = [] {
    std::array<CellKernelEntry, kCellNames.size()> entries{};
    std::size_t index = 0;
    visit_cells([&](Isa isa, const NamedFormat& weights, const ops::CellInfo& cell) {
        entries[index] = {kCellNames[index].text, isa, cell.kind, weights.format};
        ++index;
    });
    return entries;
}();

constexpr auto kGemmNames = [] {
    std::array<KernelName, kProducts> names{};
    std::size_t index = 0;
    visit_products([&](Isa isa, const NamedFormat& weights) {
        names[index++] = joined({"gemm", name_of(isa), weights.name});
    });
    return names;
}();

constexpr auto kGemms = [] {
    std::array<GemmKernelEntry, kProducts> entries{};
    std::size_t index = 0;
    visit_products([&](Isa isa, const NamedFormat& weights) {
        entries[index] = {kGemmNames[index].text, isa, weights.format};
        ++index;
    });
    return entries;
}();

constexpr std::size_t kExactCells = kExactProducts * std::size(ops::kCells);

std::string text_of(const WeightFormat& weights) { return std::string(to_string(weights.type)); }

constexpr ElementwiseKernelEntry kElementwise[] = {
    {"elementwise_avx512", Isa::avx512, jit_elementwise<Isa::avx512>},
    {"elementwise_avx2", Isa::avx2, jit_elementwise<Isa::avx2>},
    {"elementwise_plain", Isa::plain, make_plain_elementwise},
};

constexpr TapKernelEntry kTaps[] = {
    {"taps_avx512", Isa::avx512, jit_taps<Isa::avx512>},
    {"taps_avx2", Isa::avx2, jit_taps<Isa::avx2>},
    {"taps_plain", Isa::plain, make_plain_taps},
};

}  // namespace

Support CellKernelEntry::supports(const CellConfig& config) const {
    if (config.kind != kind) {
        return {false,
                std::string("computes ") + to_string(kind) + ", not " + to_string(config.kind)};
    }
    if (config.weights != weights) {
        return {false,
                "takes weights of type " + text_of(weights) + ", not " + text_of(config.weights)};
    }
    return {};
}

std::unique_ptr<CellKernel> CellKernelEntry::make(const CellConfig& config) const {
    return isa == Isa::plain ? make_plain_cell(config) : jit::make_cell(isa, config);
}

std::unique_ptr<GemmKernel> GemmKernelEntry::make() const {
    return isa == Isa::plain ? make_plain_gemm(weights) : jit::make_gemm(isa, weights);
}

std::span<const CellKernelEntry> cell_kernels() { return std::span(kCells).first(kExactCells); }

std::span<const CellKernelEntry> rounding_cell_kernels() {
    return std::span(kCells).subspan(kExactCells);
}

std::span<const GemmKernelEntry> gemm_kernels() { return std::span(kGemms).first(kExactProducts); }

std::span<const GemmKernelEntry> rounding_gemm_kernels() {
    return std::span(kGemms).subspan(kExactProducts);
}

std::span<const ElementwiseKernelEntry> elementwise_kernels() { return kElementwise; }

std::span<const TapKernelEntry> tap_kernels() { return kTaps; }

const TapKernelEntry& choose_tap_kernel(Isa isa) {
    return *std::ranges::find_if(kTaps,
                                 [&](const TapKernelEntry& entry) { return entry.isa <= isa; });
}

const ElementwiseKernelEntry& choose_elementwise_kernel(Isa isa) {
    return *std::ranges::find_if(
        kElementwise, [&](const ElementwiseKernelEntry& entry) { return entry.isa <= isa; });
}

const CellKernelEntry& choose_cell_kernel(const CellConfig& config, Isa isa) {
    std::string refusals;
    const auto entries = config.weights.rounds_rows() ? rounding_cell_kernels() : cell_kernels();
    for (const CellKernelEntry& entry : entries) {
        if (entry.isa > isa) continue;
        const Support support = entry.supports(config);
        if (support.ok) return entry;
        refusals += std::string("; ") + entry.name + ": " + support.reason;
    }
    throw UnsupportedError(std::string("no kernel for cell '") + to_string(config.kind) +
                           "' with " + text_of(config.weights) + " weights up to " + name_of(isa) +
                           refusals);
}

const GemmKernelEntry& choose_gemm_kernel(Isa isa, const WeightFormat& weights) {
    for (const GemmKernelEntry& entry : kGemms) {
        if (entry.isa <= isa && entry.weights == weights) return entry;
    }
    throw UnsupportedError("no matrix product for weights of type " + text_of(weights));
}

std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa, const WeightFormat& weights) {
    return choose_gemm_kernel(isa, weights).make();
}

}  // namespace rondo::cpu
