// Functions as elementwise programs, on 4096 numbers and on short arrays, f32 or f64.
#include <benchmark/benchmark.h>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

using Kind = ProgramStep::Kind;
using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

constexpr std::int64_t kSize = 4096;

// A program of one input: each function returns the number of its value.
class Formula {
public:
    static constexpr std::uint8_t kX = 0;

    std::uint8_t number(double value) {
        return add({Kind::constant, 0, {}, std::bit_cast<std::uint64_t>(value)});
    }
    std::uint8_t unary(UnaryFunction function, std::uint8_t a) {
        return add({Kind::unary, static_cast<std::uint8_t>(function), {a}});
    }
    std::uint8_t binary(BinaryFunction function, std::uint8_t a, std::uint8_t b) {
        return add({Kind::binary, static_cast<std::uint8_t>(function), {a, b}});
    }
    std::uint8_t select(CompareFunction function, std::uint8_t bound, std::uint8_t yes,
                        std::uint8_t no) {
        const auto holds = add({Kind::compare, static_cast<std::uint8_t>(function), {kX, bound}});
        return add({Kind::select, 0, {holds, yes, no}});
    }
    /// scale x + shift.
    std::uint8_t line(double scale, double shift) {
        const auto scaled = binary(BinaryFunction::multiply, kX, number(scale));
        return binary(BinaryFunction::add, scaled, number(shift));
    }

    ElementwiseProgram program(Precision precision) const {
        return {precision, {ElementKind::number}, steps_, ElementKind::number};
    }

private:
    std::uint8_t add(const ProgramStep& step) {
        steps_.push_back(step);
        return static_cast<std::uint8_t>(steps_.size());
    }

    std::vector<ProgramStep> steps_;
};

struct Row {
    const char* name;
    void (*write)(Formula& f);
};

template <UnaryFunction function>
void one(Formula& f) {
    f.unary(function, Formula::kX);
}

void elu(Formula& f) {
    const auto below = f.binary(BinaryFunction::minimum, Formula::kX, f.number(0));
    const auto half = f.binary(BinaryFunction::multiply, below, f.number(0.5));
    const auto sum = f.binary(BinaryFunction::add, f.unary(UnaryFunction::exp, below), f.number(1));
    const auto expm1 = f.binary(BinaryFunction::multiply, f.unary(UnaryFunction::tanh, half), sum);
    f.binary(BinaryFunction::add, f.unary(UnaryFunction::relu, Formula::kX), expm1);
}

// As the ONNX frontend writes them.
const Row kRows[] = {
    {"Exp", one<UnaryFunction::exp>},
    {"Affine", [](Formula& f) { f.line(1, 0); }},
    {"Relu", one<UnaryFunction::relu>},
    {"LeakyRelu",
     [](Formula& f) {
         const auto scaled = f.binary(BinaryFunction::multiply, Formula::kX, f.number(0.01));
         f.select(CompareFunction::less, f.number(0), scaled, Formula::kX);
     }},
    {"ThresholdedRelu",
     [](Formula& f) {
         const auto zero = f.number(0);
         f.select(CompareFunction::greater, f.number(1), Formula::kX, zero);
     }},
    {"Tanh", one<UnaryFunction::tanh>},
    {"ScaledTanh",
     [](Formula& f) {
         const auto scaled = f.binary(BinaryFunction::multiply, Formula::kX, f.number(1));
         f.binary(BinaryFunction::multiply, f.unary(UnaryFunction::tanh, scaled), f.number(1));
     }},
    {"Sigmoid", one<UnaryFunction::sigmoid>},
    {"HardSigmoid",
     [](Formula& f) {
         const auto above = f.binary(BinaryFunction::maximum, f.line(0.2, 0.5), f.number(0));
         f.binary(BinaryFunction::minimum, above, f.number(1));
     }},
    {"Elu", elu},
    {"Softsign", one<UnaryFunction::softsign>},
    {"Softplus", one<UnaryFunction::softplus>},
};

template <typename T>
void run_program(benchmark::State& state, const ElementwiseKernelEntry* entry,
                 const ElementwiseProgram& program, std::int64_t size) {
    const auto floats = random_floats(size);
    const std::vector<T> src(floats.begin(), floats.end());
    std::vector<T> dst(src.size());
    const auto kernel = entry->make(program);
    for (auto _ : state) {
        kernel->run({{src.data()}, {}, dst.data(), size});
        benchmark::DoNotOptimize(dst.data());
    }
    state.SetItemsProcessed(state.iterations() * size);
}

void add_row(const ElementwiseKernelEntry& entry, Precision precision, const std::string& name,
             void (*write)(Formula& f), std::int64_t size) {
    Formula formula;
    write(formula);
    const auto program = formula.program(precision);
    benchmark::RegisterBenchmark(
        name.c_str(), precision == Precision::f64 ? run_program<double> : run_program<float>,
        &entry, program, size);
}

}  // namespace

void add_elementwise_benchmarks() {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        for (const ElementwiseKernelEntry& entry : elementwise_kernels()) {
            if (entry.isa > cpu_features().best() || entry.isa == Isa::plain) continue;
            const std::string start =
                std::string("unary_") + name_of(entry.isa) + "_" + name_of(precision) + "/";
            for (const Row& row : kRows) {
                add_row(entry, precision, start + row.name, row.write, kSize);
            }
            for (const std::int64_t size : {16, 64, 257}) {
                add_row(entry, precision, start + "Tanh/n:" + std::to_string(size),
                        one<UnaryFunction::tanh>, size);
            }
        }
    }
}

}  // namespace rondo::cpu::bench
