#include "plugins/cpu/kernels/choice/kernel_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

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
    {"elementwise_avx512", Isa::avx512},
    {"elementwise_avx2", Isa::avx2},
    {"elementwise_plain", Isa::plain},
};

constexpr TapKernelEntry kTaps[] = {
    {"taps_avx512", Isa::avx512},
    {"taps_avx2", Isa::avx2},
    {"taps_plain", Isa::plain},
};

// Whether numbers are equal, also in the sign of a zero, which affects results.
bool same_numbers(const Activation& a, const Activation& b) {
    return a == b && std::signbit(a.alpha) == std::signbit(b.alpha) &&
           std::signbit(a.beta) == std::signbit(b.beta);
}

struct CellKey {
    const CellKernelEntry* entry;
    CellConfig config;

    bool operator==(const CellKey& other) const {
        const CellConfig& a = config;
        const CellConfig& b = other.config;
        return entry == other.entry && a == b && same_numbers(a.f, b.f) && same_numbers(a.g, b.g) &&
               same_numbers(a.h, b.h);
    }
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

std::unique_ptr<ElementwiseKernel> ElementwiseKernelEntry::make(
    const ElementwiseProgram& program) const {
    return isa == Isa::plain ? make_plain_elementwise(program)
                             : jit::make_elementwise(isa, program);
}

std::unique_ptr<TapKernel> TapKernelEntry::make(const TapConfig& config) const {
    return isa == Isa::plain ? make_plain_taps(config) : jit::make_taps(isa, config);
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

std::shared_ptr<const GemmKernel> shared_gemm_kernel(Isa isa, const WeightFormat& weights) {
    static AliveCache<const GemmKernelEntry*, const GemmKernel> alive;
    const GemmKernelEntry& entry = choose_gemm_kernel(isa, weights);
    return alive.find_or_make(&entry, [&] { return entry.make(); });
}

std::shared_ptr<const ByteKernel> shared_byte_kernel(Isa isa, ElementType result) {
    static AliveCache<std::pair<Isa, ElementType>, const ByteKernel> alive;
    return alive.find_or_make({isa, result}, [&] {
        const bool in_fours = isa == Isa::avx512 && cpu_features().vnni;
        return in_fours ? jit::make_bytes(result) : make_byte_pairs(isa, result);
    });
}

std::shared_ptr<const SparseKernel> shared_sparse_kernel(Isa isa, const WeightFormat& format) {
    static AliveCache<std::pair<Isa, WeightFormat>, const SparseKernel> alive;
    return alive.find_or_make({isa, format}, [&] { return jit::make_sparse(isa, format); });
}

std::shared_ptr<const ElementwiseKernel> shared_elementwise_kernel(
    Isa isa, const ElementwiseProgram& program) {
    static AliveCache<std::pair<const ElementwiseKernelEntry*, ElementwiseProgram>,
                      const ElementwiseKernel>
        alive;
    const ElementwiseKernelEntry& entry = choose_elementwise_kernel(isa);
    return alive.find_or_make({&entry, program}, [&] { return entry.make(program); });
}

std::shared_ptr<const TapKernel> shared_tap_kernel(Isa isa, const TapConfig& config) {
    static AliveCache<std::pair<const TapKernelEntry*, TapConfig>, const TapKernel> alive;
    const TapKernelEntry& entry = choose_tap_kernel(isa);
    return alive.find_or_make({&entry, config}, [&] { return entry.make(config); });
}

std::shared_ptr<const CellKernel> shared_cell_kernel(const CellKernelEntry& entry,
                                                     const CellConfig& config) {
    static AliveCache<CellKey, const CellKernel> alive;
    return alive.find_or_make({&entry, config}, [&] { return entry.make(config); });
}

}  // namespace rondo::cpu
