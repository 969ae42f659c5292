#include "plugins/cpu/kernels/kernel_list.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/jit_factories.hpp"
#include "plugins/cpu/kernels/plain_kernels.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

template <CellKind Kind>
Support supports(const CellConfig& config) {
    if (config.kind == Kind) return {};
    return {false, std::string("computes ") + name_of(Kind) + ", not " + name_of(config.kind)};
}

template <Isa isa>
std::unique_ptr<CellKernel> jit_cell(const CellConfig& config) {
    return jit::make_cell(isa, config);
}

template <Isa isa>
std::unique_ptr<GemmKernel> jit_gemm() {
    return jit::make_gemm(isa);
}

template <Isa isa>
std::unique_ptr<UnaryKernel> jit_unary(const UnaryConfig& config) {
    return jit::make_unary(isa, config);
}

constexpr auto kLinear = CellKind::gru_linear_before_reset;

// name, instruction set, supports, make
constexpr CellKernelEntry kCells[] = {
    {"lstm_avx512_f32", Isa::avx512, supports<CellKind::lstm>, jit_cell<Isa::avx512>},
    {"gru_avx512_f32", Isa::avx512, supports<CellKind::gru>, jit_cell<Isa::avx512>},
    {"gru_lbr_avx512_f32", Isa::avx512, supports<kLinear>, jit_cell<Isa::avx512>},
    {"rnn_avx512_f32", Isa::avx512, supports<CellKind::rnn>, jit_cell<Isa::avx512>},
    {"lstm_avx2_f32", Isa::avx2, supports<CellKind::lstm>, jit_cell<Isa::avx2>},
    {"gru_avx2_f32", Isa::avx2, supports<CellKind::gru>, jit_cell<Isa::avx2>},
    {"gru_lbr_avx2_f32", Isa::avx2, supports<kLinear>, jit_cell<Isa::avx2>},
    {"rnn_avx2_f32", Isa::avx2, supports<CellKind::rnn>, jit_cell<Isa::avx2>},
    {"lstm_plain_f32", Isa::plain, supports<CellKind::lstm>, make_plain_cell},
    {"gru_plain_f32", Isa::plain, supports<CellKind::gru>, make_plain_cell},
    {"gru_lbr_plain_f32", Isa::plain, supports<kLinear>, make_plain_cell},
    {"rnn_plain_f32", Isa::plain, supports<CellKind::rnn>, make_plain_cell},
};

constexpr GemmKernelEntry kGemms[] = {
    {"gemm_avx512_f32", Isa::avx512, jit_gemm<Isa::avx512>},
    {"gemm_avx2_f32", Isa::avx2, jit_gemm<Isa::avx2>},
    {"gemm_plain_f32", Isa::plain, make_plain_gemm},
};

constexpr UnaryKernelEntry kUnaries[] = {
    {"unary_avx512_f32", Isa::avx512, Precision::f32, jit_unary<Isa::avx512>},
    {"unary_avx2_f32", Isa::avx2, Precision::f32, jit_unary<Isa::avx2>},
    {"unary_plain_f32", Isa::plain, Precision::f32, make_plain_unary},
    {"unary_avx512_f64", Isa::avx512, Precision::f64, jit_unary<Isa::avx512>},
    {"unary_avx2_f64", Isa::avx2, Precision::f64, jit_unary<Isa::avx2>},
    {"unary_plain_f64", Isa::plain, Precision::f64, make_plain_unary},
};

}  // namespace

std::span<const CellKernelEntry> cell_kernels() { return kCells; }

std::span<const GemmKernelEntry> gemm_kernels() { return kGemms; }

std::span<const UnaryKernelEntry> unary_kernels() { return kUnaries; }

const CellKernelEntry& choose_cell_kernel(const CellConfig& config, Isa isa) {
    std::string refusals;
    for (const CellKernelEntry& entry : kCells) {
        if (entry.isa > isa) continue;
        const Support support = entry.supports(config);
        if (support.ok) return entry;
        refusals += std::string("; ") + entry.name + ": " + support.reason;
    }
    throw UnsupportedError(std::string("no kernel for cell '") + name_of(config.kind) + "' up to " +
                           name_of(isa) + refusals);
}

const UnaryKernelEntry& choose_unary_kernel(const UnaryConfig& config, Isa isa) {
    return *std::ranges::find_if(kUnaries, [&](const UnaryKernelEntry& entry) {
        return entry.isa <= isa && entry.precision == config.precision;
    });
}

}  // namespace rondo::cpu
