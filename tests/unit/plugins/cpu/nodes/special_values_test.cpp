// Every kernel gives what the reference gives for NaN, infinities, the greatest and the least
// numbers and -0, except what docs/reliability.md doesn't promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/ops/reference/evaluate.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "tests/support/float_elements.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/plugins/cpu/nodes/op_runs.hpp"

namespace rondo::test::special_values_test {
namespace {

enum class Special { nan, infinite, huge, denormal, minus_zero };

struct SpecialValue {
    Special kind;
    double value;
};

std::vector<SpecialValue> special_values(ElementType type) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double huge = 3e38, least = std::ldexp(3, -130);  // of f32 and bf16
    if (type == ElementType::f64) {
        huge = 1.7e308;
        least = 3e-310;
    } else if (type == ElementType::f16) {
        huge = 65504;
        least = std::ldexp(3, -24);
    }
    return {{Special::nan, std::nan("")},    {Special::infinite, kInfinity},
            {Special::infinite, -kInfinity}, {Special::huge, huge},
            {Special::huge, -huge},          {Special::denormal, least},
            {Special::denormal, -least},     {Special::minus_zero, -0.0}};
}

// Ops whose results are rounded otherwise than the reference's, or whose zeros may have another
// sign. All others give the same bits.
constexpr std::string_view kRounded[] = {
    "AvgPool",
    "Convolution",
    "ConvolutionBackpropData",
    "DFT",
    "DeformableConvolution",
    "Erf",
    "Exp",
    "GRUCell",
    "GRUSequence",
    "GridSample",
    "GroupConvolution",
    "GroupConvolutionBackpropData",
    "HSigmoid",
    "HSwish",
    "IDFT",
    "IRDFT",
    "Interpolate",
    "LSTMCell",
    "LSTMSequence",
    "Log",
    "LogSoftmax",
    "MVN",
    "MatMul",
    "Mish",
    "RDFT",
    "RNNCell",
    "RNNSequence",
    "ROIAlign",
    "ReLU",
    "ReduceL1",
    "ReduceL2",
    "ReduceMean",
    "ReduceSum",
    "STFT",
    "ScatterElementsUpdate",
    "ScatterNDUpdate",
    "Sigmoid",
    "SoftMax",
    "SoftPlus",
    "SoftSign",
    "SquaredDifference",
    "Tanh",
};

bool is_rounded(std::string_view op) {
    return std::find(std::begin(kRounded), std::end(kRounded), op) != std::end(kRounded);
}

// What isn't compared, and why.
bool is_left_out(std::string_view op, Special kind) {
    // Which of the sums of a transform meet each other isn't the same.
    constexpr std::array kTransforms = {"DFT", "IDFT", "IRDFT", "RDFT", "STFT"};
    if (std::find(kTransforms.begin(), kTransforms.end(), op) != kTransforms.end()) {
        return kind == Special::nan || kind == Special::infinite || kind == Special::huge;
    }
    // So small a step of f16 asks for 160 million numbers.
    if (op == "Range" && kind == Special::denormal) return true;
    // Sums and squares that f32 can't hold, which the reference has in double.
    return kind == Special::huge && (op == "MVN" || op == "Interpolate");
}

// A copy with the value as its first, middle and last element.
Tensor with_value(const Tensor& tensor, double value) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    for (const std::size_t at : {std::size_t{0}, copy.size() / 2, copy.size() - 1}) {
        set_float(copy, at, value);
    }
    return copy;
}

struct Kernel {
    cpu::Isa isa;
    std::unique_ptr<cpu::CpuNode> node;
};

// f32 and f16 on all instruction sets, the others on the best one.
std::vector<Kernel> kernels_of(const Node& node, ElementType type) {
    const cpu::Isa best = cpu::cpu_features().best();
    const bool has_all = type == ElementType::f32 || type == ElementType::f16;
    std::vector<Kernel> kernels;
    for (const cpu::Isa isa : {cpu::Isa::plain, cpu::Isa::avx2, cpu::Isa::avx512}) {
        if (isa > best || (!has_all && isa != best)) continue;
        kernels.push_back({isa, cpu::make_cpu_node(node, {isa})});
    }
    return kernels;
}

// Empty if the op refuses such a value, as Range does.
template <typename Run>
std::optional<std::vector<Tensor>> outputs_of(const Run& run) {
    try {
        return run();
    } catch (const ModelError&) {
        return std::nullopt;
    }
}

void check_values(const OpSample& sample, const Node& node, const std::vector<Kernel>& kernels,
                  const std::vector<Tensor>& values) {
    const auto expected = outputs_of([&] { return reference::evaluate(node, values); });
    for (const Kernel& kernel : kernels) {
        SCOPED_TRACE(cpu::name_of(kernel.isa));
        const auto actual =
            outputs_of([&] { return run_kernel(*kernel.node, node, sample, values); });
        ASSERT_EQ(actual.has_value(), expected.has_value());
        for (std::size_t i = 0; expected && i < expected->size(); ++i) {
            if (!is_rounded(sample.op)) {
                expect_same((*actual)[i], (*expected)[i]);
                continue;
            }
            const double allowed = sample.ulps * epsilon_of((*expected)[i].element_type());
            expect_near((*actual)[i], (*expected)[i], allowed, allowed);
        }
    }
}

// How many values were compared.
int check(const OpSample& sample, ElementType type) {
    const auto ordinary = values_of(sample, type);
    NodePtr node;
    try {
        node = make_op(*entry_of(sample), sample, ordinary);
    } catch (const Error& error) {
        EXPECT_TRUE(is_about_types(error)) << error.what();
        return 0;
    }
    const auto kernels = kernels_of(*node, type);
    int compared = 0;
    for (const SpecialValue& special : special_values(type)) {
        if (is_left_out(sample.op, special.kind)) continue;
        for (std::size_t i = 0; i < ordinary.size(); ++i) {
            if (sample.inputs[i].kind != SampleInput::Kind::data) continue;
            SCOPED_TRACE(sample.op + " of " + std::string(to_string(type)) + ", input " +
                         std::to_string(i) + ": " + std::to_string(special.value));
            auto values = ordinary;
            values[i] = with_value(ordinary[i], special.value);
            check_values(sample, *node, kernels, values);
            ++compared;
        }
    }
    return compared;
}

class SpecialValues : public ::testing::TestWithParam<ElementType> {};

TEST_P(SpecialValues, EveryKernelGivesWhatTheReferenceGives) {
    int compared = 0;
    for (const OpSample& sample : op_samples()) compared += check(sample, GetParam());
    EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(Types, SpecialValues,
                         ::testing::Values(ElementType::f64, ElementType::f32, ElementType::f16,
                                           ElementType::bf16),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace rondo::test::special_values_test
