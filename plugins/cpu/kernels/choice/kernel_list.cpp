#include "plugins/cpu/kernels/choice/kernel_list.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/cell/plain_cell.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/elementwise/plain_elementwise.hpp"
#include "plugins/cpu/kernels/elementwise/plain_unary.hpp"
#include "plugins/cpu/kernels/product/plain_gemm.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

template <CellKind Kind, ElementType weights>
Support supports(const CellConfig& config) {
    if (config.kind != Kind) {
        return {false, std::string("computes ") + name_of(Kind) + ", not " + name_of(config.kind)};
    }
    if (config.weights != weights) {
        return {false, "takes weights of type " + std::string(to_string(weights)) + ", not " +
                           std::string(to_string(config.weights))};
    }
    return {};
}

template <Isa isa>
std::unique_ptr<CellKernel> jit_cell(const CellConfig& config) {
    return jit::make_cell(isa, config);
}

template <Isa isa, ElementType weights>
std::unique_ptr<GemmKernel> jit_gemm() {
    return jit::make_gemm(isa, weights);
}

template <ElementType weights>
std::unique_ptr<GemmKernel> plain_gemm() {
    return make_plain_gemm(weights);
}

template <Isa isa>
std::unique_ptr<ElementwiseKernel> jit_elementwise(const ElementwiseProgram& program) {
    return jit::make_elementwise(isa, program);
}

template <Isa isa>
std::unique_ptr<UnaryKernel> jit_unary(const UnaryConfig& config) {
    return jit::make_unary(isa, config);
}

constexpr auto kLstm = CellKind::lstm;
constexpr auto kGru = CellKind::gru;
constexpr auto kLinear = CellKind::gru_linear_before_reset;
constexpr auto kRnn = CellKind::rnn;
constexpr auto kF32 = ElementType::f32;
constexpr auto kF16 = ElementType::f16;
constexpr auto kBf16 = ElementType::bf16;
constexpr auto kF64 = ElementType::f64;

// name, instruction set, supports, make; f16w and bf16w: weights of that type, computing in f32
constexpr CellKernelEntry kCells[] = {
    {"lstm_avx512_f32", Isa::avx512, supports<kLstm, kF32>, jit_cell<Isa::avx512>},
    {"gru_avx512_f32", Isa::avx512, supports<kGru, kF32>, jit_cell<Isa::avx512>},
    {"gru_lbr_avx512_f32", Isa::avx512, supports<kLinear, kF32>, jit_cell<Isa::avx512>},
    {"rnn_avx512_f32", Isa::avx512, supports<kRnn, kF32>, jit_cell<Isa::avx512>},
    {"lstm_avx512_f16w", Isa::avx512, supports<kLstm, kF16>, jit_cell<Isa::avx512>},
    {"gru_avx512_f16w", Isa::avx512, supports<kGru, kF16>, jit_cell<Isa::avx512>},
    {"gru_lbr_avx512_f16w", Isa::avx512, supports<kLinear, kF16>, jit_cell<Isa::avx512>},
    {"rnn_avx512_f16w", Isa::avx512, supports<kRnn, kF16>, jit_cell<Isa::avx512>},
    {"lstm_avx512_bf16w", Isa::avx512, supports<kLstm, kBf16>, jit_cell<Isa::avx512>},
    {"gru_avx512_bf16w", Isa::avx512, supports<kGru, kBf16>, jit_cell<Isa::avx512>},
    {"gru_lbr_avx512_bf16w", Isa::avx512, supports<kLinear, kBf16>, jit_cell<Isa::avx512>},
    {"rnn_avx512_bf16w", Isa::avx512, supports<kRnn, kBf16>, jit_cell<Isa::avx512>},
    {"lstm_avx512_f64", Isa::avx512, supports<kLstm, kF64>, jit_cell<Isa::avx512>},
    {"gru_avx512_f64", Isa::avx512, supports<kGru, kF64>, jit_cell<Isa::avx512>},
    {"gru_lbr_avx512_f64", Isa::avx512, supports<kLinear, kF64>, jit_cell<Isa::avx512>},
    {"rnn_avx512_f64", Isa::avx512, supports<kRnn, kF64>, jit_cell<Isa::avx512>},
    {"lstm_avx2_f32", Isa::avx2, supports<kLstm, kF32>, jit_cell<Isa::avx2>},
    {"gru_avx2_f32", Isa::avx2, supports<kGru, kF32>, jit_cell<Isa::avx2>},
    {"gru_lbr_avx2_f32", Isa::avx2, supports<kLinear, kF32>, jit_cell<Isa::avx2>},
    {"rnn_avx2_f32", Isa::avx2, supports<kRnn, kF32>, jit_cell<Isa::avx2>},
    {"lstm_avx2_f16w", Isa::avx2, supports<kLstm, kF16>, jit_cell<Isa::avx2>},
    {"gru_avx2_f16w", Isa::avx2, supports<kGru, kF16>, jit_cell<Isa::avx2>},
    {"gru_lbr_avx2_f16w", Isa::avx2, supports<kLinear, kF16>, jit_cell<Isa::avx2>},
    {"rnn_avx2_f16w", Isa::avx2, supports<kRnn, kF16>, jit_cell<Isa::avx2>},
    {"lstm_avx2_bf16w", Isa::avx2, supports<kLstm, kBf16>, jit_cell<Isa::avx2>},
    {"gru_avx2_bf16w", Isa::avx2, supports<kGru, kBf16>, jit_cell<Isa::avx2>},
    {"gru_lbr_avx2_bf16w", Isa::avx2, supports<kLinear, kBf16>, jit_cell<Isa::avx2>},
    {"rnn_avx2_bf16w", Isa::avx2, supports<kRnn, kBf16>, jit_cell<Isa::avx2>},
    {"lstm_avx2_f64", Isa::avx2, supports<kLstm, kF64>, jit_cell<Isa::avx2>},
    {"gru_avx2_f64", Isa::avx2, supports<kGru, kF64>, jit_cell<Isa::avx2>},
    {"gru_lbr_avx2_f64", Isa::avx2, supports<kLinear, kF64>, jit_cell<Isa::avx2>},
    {"rnn_avx2_f64", Isa::avx2, supports<kRnn, kF64>, jit_cell<Isa::avx2>},
    {"lstm_plain_f32", Isa::plain, supports<kLstm, kF32>, make_plain_cell},
    {"gru_plain_f32", Isa::plain, supports<kGru, kF32>, make_plain_cell},
    {"gru_lbr_plain_f32", Isa::plain, supports<kLinear, kF32>, make_plain_cell},
    {"rnn_plain_f32", Isa::plain, supports<kRnn, kF32>, make_plain_cell},
    {"lstm_plain_f16w", Isa::plain, supports<kLstm, kF16>, make_plain_cell},
    {"gru_plain_f16w", Isa::plain, supports<kGru, kF16>, make_plain_cell},
    {"gru_lbr_plain_f16w", Isa::plain, supports<kLinear, kF16>, make_plain_cell},
    {"rnn_plain_f16w", Isa::plain, supports<kRnn, kF16>, make_plain_cell},
    {"lstm_plain_bf16w", Isa::plain, supports<kLstm, kBf16>, make_plain_cell},
    {"gru_plain_bf16w", Isa::plain, supports<kGru, kBf16>, make_plain_cell},
    {"gru_lbr_plain_bf16w", Isa::plain, supports<kLinear, kBf16>, make_plain_cell},
    {"rnn_plain_bf16w", Isa::plain, supports<kRnn, kBf16>, make_plain_cell},
    {"lstm_plain_f64", Isa::plain, supports<kLstm, kF64>, make_plain_cell},
    {"gru_plain_f64", Isa::plain, supports<kGru, kF64>, make_plain_cell},
    {"gru_lbr_plain_f64", Isa::plain, supports<kLinear, kF64>, make_plain_cell},
    {"rnn_plain_f64", Isa::plain, supports<kRnn, kF64>, make_plain_cell},
};

// name, instruction set, how B is stored, make
constexpr GemmKernelEntry kGemms[] = {
    {"gemm_avx512_f32", Isa::avx512, kF32, jit_gemm<Isa::avx512, kF32>},
    {"gemm_avx512_f16w", Isa::avx512, kF16, jit_gemm<Isa::avx512, kF16>},
    {"gemm_avx512_bf16w", Isa::avx512, kBf16, jit_gemm<Isa::avx512, kBf16>},
    {"gemm_avx512_f64", Isa::avx512, kF64, jit_gemm<Isa::avx512, kF64>},
    {"gemm_avx2_f32", Isa::avx2, kF32, jit_gemm<Isa::avx2, kF32>},
    {"gemm_avx2_f16w", Isa::avx2, kF16, jit_gemm<Isa::avx2, kF16>},
    {"gemm_avx2_bf16w", Isa::avx2, kBf16, jit_gemm<Isa::avx2, kBf16>},
    {"gemm_avx2_f64", Isa::avx2, kF64, jit_gemm<Isa::avx2, kF64>},
    {"gemm_plain_f32", Isa::plain, kF32, plain_gemm<kF32>},
    {"gemm_plain_f16w", Isa::plain, kF16, plain_gemm<kF16>},
    {"gemm_plain_bf16w", Isa::plain, kBf16, plain_gemm<kBf16>},
    {"gemm_plain_f64", Isa::plain, kF64, plain_gemm<kF64>},
};

constexpr UnaryKernelEntry kUnaries[] = {
    {"unary_avx512_f32", Isa::avx512, Precision::f32, jit_unary<Isa::avx512>},
    {"unary_avx2_f32", Isa::avx2, Precision::f32, jit_unary<Isa::avx2>},
    {"unary_plain_f32", Isa::plain, Precision::f32, make_plain_unary},
    {"unary_avx512_f64", Isa::avx512, Precision::f64, jit_unary<Isa::avx512>},
    {"unary_avx2_f64", Isa::avx2, Precision::f64, jit_unary<Isa::avx2>},
    {"unary_plain_f64", Isa::plain, Precision::f64, make_plain_unary},
};

constexpr ElementwiseKernelEntry kElementwise[] = {
    {"elementwise_avx512", Isa::avx512, jit_elementwise<Isa::avx512>},
    {"elementwise_avx2", Isa::avx2, jit_elementwise<Isa::avx2>},
    {"elementwise_plain", Isa::plain, make_plain_elementwise},
};

}  // namespace

std::span<const CellKernelEntry> cell_kernels() { return kCells; }

std::span<const GemmKernelEntry> gemm_kernels() { return kGemms; }

std::span<const UnaryKernelEntry> unary_kernels() { return kUnaries; }

std::span<const ElementwiseKernelEntry> elementwise_kernels() { return kElementwise; }

const ElementwiseKernelEntry& choose_elementwise_kernel(Isa isa) {
    return *std::ranges::find_if(
        kElementwise, [&](const ElementwiseKernelEntry& entry) { return entry.isa <= isa; });
}

const CellKernelEntry& choose_cell_kernel(const CellConfig& config, Isa isa) {
    std::string refusals;
    for (const CellKernelEntry& entry : kCells) {
        if (entry.isa > isa) continue;
        const Support support = entry.supports(config);
        if (support.ok) return entry;
        refusals += std::string("; ") + entry.name + ": " + support.reason;
    }
    throw UnsupportedError(std::string("no kernel for cell '") + name_of(config.kind) + "' with " +
                           std::string(to_string(config.weights)) + " weights up to " +
                           name_of(isa) + refusals);
}

const GemmKernelEntry& choose_gemm_kernel(Isa isa, ElementType weights) {
    for (const GemmKernelEntry& entry : kGemms) {
        if (entry.isa <= isa && entry.weights == weights) return entry;
    }
    throw UnsupportedError("no matrix product for weights of type " +
                           std::string(to_string(weights)));
}

const UnaryKernelEntry& choose_unary_kernel(const UnaryConfig& config, Isa isa) {
    return *std::ranges::find_if(kUnaries, [&](const UnaryKernelEntry& entry) {
        return entry.isa <= isa && entry.precision == config.precision;
    });
}

std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa, ElementType weights) {
    return choose_gemm_kernel(isa, weights).make();
}

std::unique_ptr<UnaryKernel> make_unary_kernel(Isa isa, const UnaryConfig& config) {
    return choose_unary_kernel(config, isa).make(config);
}

}  // namespace rondo::cpu
