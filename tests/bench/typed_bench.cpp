// Plain kernels of all types, movement, reductions and convolutions, and what a node of a few
// integers costs.
#include <benchmark/benchmark.h>

#include <numeric>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/movement/gather.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/integer_gemm.hpp"
#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr std::int64_t kTypedSize = 4096;
constexpr std::size_t kBytes = kTypedSize * 8;  // room for every type

std::string row(const std::string& kernel, ElementType type) {
    return kernel + "/" + std::string(to_string(type));
}

void add_loop(const std::string& name, ElementLoop<2> loop) {
    benchmark::RegisterBenchmark(name.c_str(), [loop](benchmark::State& state) {
        const std::vector<std::uint8_t> a(kBytes, 3), b(kBytes, 1);
        std::vector<std::uint8_t> to(kBytes);
        for (auto _ : state) {
            loop({{a.data(), b.data()}, {1, 1}, to.data(), kTypedSize});
            benchmark::DoNotOptimize(to.data());
        }
        state.SetItemsProcessed(state.iterations() * kTypedSize);
    });
}

void add_typed_loops() {
    for (const ElementType type : {ElementType::i64, ElementType::i32, ElementType::i8,
                                   ElementType::f64, ElementType::f16}) {
        using ops::BinaryFunction;
        add_loop(row("typed/Add", type), typed_binary_loop(BinaryFunction::add, type, true));
        add_loop(row("typed/Divide", type), typed_binary_loop(BinaryFunction::divide, type, true));
        add_loop(row("typed/Less", type), typed_compare_loop(ops::CompareFunction::less, type));
    }
}

// One call of a node of f16, as a program runs it.
void add_half_node(const char* name, const NodePtr& op) {
    benchmark::RegisterBenchmark(
        row(std::string("half/") + name, ElementType::f16).c_str(), [op](benchmark::State& state) {
            const TensorInfo operand{ElementType::f16, {kTypedSize}, {}, true};
            const TensorInfo result{op->output_type(0), {kTypedSize}, {}, true};
            const std::vector<TensorInfo> operands(op->input_count(), operand);
            const auto node = make_cpu_node(*op, {cpu_features().best()});
            const auto call = node->prepare({operands, {&result, 1}, 1});
            const std::vector<float16> from(kTypedSize, float16(1.5f));
            std::vector<float16> to(kTypedSize);
            const std::vector<const void*> inputs(op->input_count(), from.data());
            void* const outputs[] = {to.data()};
            SerialTeam team;
            for (auto _ : state) {
                call->run({inputs, outputs, nullptr, team});
                benchmark::DoNotOptimize(to.data());
            }
            state.SetItemsProcessed(state.iterations() * kTypedSize);
        });
}

void add_half_nodes() {
    const auto x = make_node<ops::Parameter>(ElementType::f16, PartialShape{kTypedSize});
    add_half_node("Add", make_node<ops::Binary>(ops::BinaryFunction::add, x, x));
    add_half_node("Divide", make_node<ops::Binary>(ops::BinaryFunction::divide, x, x));
    add_half_node("Less", make_node<ops::Compare>(ops::CompareFunction::less, x, x));
    add_half_node("Tanh", make_node<ops::Unary>(ops::UnaryFunction::tanh, x));
}

void add_movement() {
    benchmark::RegisterBenchmark("movement/transpose/f32/512x512", [](benchmark::State& state) {
        constexpr std::int64_t kRow = 512 * 4;
        const auto from = random_floats(512 * 512);
        std::vector<float> to(from.size());
        SerialTeam team;
        const StridedCopy copy({4, {512, 512}, {4, kRow}, {kRow, 4}});
        for (auto _ : state) copy.run(from.data(), to.data(), team);
        state.SetBytesProcessed(state.iterations() * 512 * kRow);
    });
    benchmark::RegisterBenchmark("movement/gather/f32/rows of 64", [](benchmark::State& state) {
        const auto from = random_floats(1000 * 64);
        std::vector<float> to(100 * 64);
        std::vector<std::int64_t> indices(100);
        std::iota(indices.begin(), indices.end(), 400);
        GatherSizes sizes;
        sizes.extent = 1000;
        sizes.count = 100;
        sizes.block = 64 * 4;
        const Gather gather(sizes, ElementType::i64);
        for (auto _ : state) gather.run({from.data(), indices.data(), to.data()}, 0, 100);
        state.SetBytesProcessed(state.iterations() * 100 * 64 * 4);
    });
}

void add_reductions() {
    for (const bool rows : {true, false}) {
        const std::string axis = rows ? "rows" : "columns";
        benchmark::RegisterBenchmark(
            ("reduction/mean/f32/" + axis).c_str(), [rows](benchmark::State& state) {
                const auto from = random_floats(256 * 256);
                std::vector<float> to(256);
                const Reduce reduce(ops::ReduceFunction::mean, ElementType::f32,
                                    {{256, 256}, {!rows, rows}}, cpu_features().best());
                for (auto _ : state) reduce.run(from.data(), to.data(), 0, 256);
                state.SetItemsProcessed(state.iterations() * 256 * 256);
            });
        benchmark::RegisterBenchmark(
            ("reduction/softmax/f32/" + axis).c_str(), [rows](benchmark::State& state) {
                const Isa isa = cpu_features().best();
                const auto exponential = SoftmaxKernel::exponential(Precision::f32);
                const auto quotient = SoftmaxKernel::quotient(Precision::f32);
                const SoftmaxKernel kernel(shared_elementwise_kernel(isa, exponential),
                                           shared_elementwise_kernel(isa, quotient));
                const SoftmaxLines<float> lines(kernel, 256, rows ? 1 : 256);
                const auto from = random_floats(256 * 256);
                std::vector<float> to(from.size());
                std::vector<float> scratch(static_cast<std::size_t>(lines.scratch_elements()) + 1);
                for (auto _ : state) lines.run(from.data(), to.data(), 0, 256, scratch.data());
                state.SetItemsProcessed(state.iterations() * 256 * 256);
            });
    }
}

void add_products() {
    benchmark::RegisterBenchmark("product/gemm/i32/64x64x64", [](benchmark::State& state) {
        const std::vector<std::int32_t> a(64 * 64, 3), b(64 * 64, 5);
        std::vector<std::int32_t> c(64 * 64);
        IntegerGemm gemm{a.data(), b.data(), c.data(), 64, 64, 64, 64, 1, 64, 1};
        for (auto _ : state) {
            integer_gemm(ElementType::i32, gemm, 0, 64);
            benchmark::DoNotOptimize(c.data());
        }
        state.SetItemsProcessed(state.iterations() * 64 * 64 * 64);
    });
    benchmark::RegisterBenchmark(
        "window/convolution/f32/C:32 O:32 K:3 T:200", [](benchmark::State& state) {
            ConvolutionSizes sizes{1, 32, 32, {}};
            sizes.axes[2] = {200, 3, 198, 1, 1, 0};
            const auto gemm = make_gemm_kernel(cpu_features().best(), ElementType::f32);
            const auto convolution = make_position_lanes(*gemm, sizes, 1);
            const auto data = random_floats(32 * 200), filters = random_floats(32 * 32 * 3);
            std::vector<float> out(32 * 198);
            AlignedBytes scratch(convolution->scratch_bytes());
            SerialTeam team;
            for (auto _ : state) {
                convolution->run({data.data(), filters.data(), out.data(), scratch.data()}, team);
            }
            state.SetItemsProcessed(state.iterations() * 32 * 32 * 3 * 198);
        });
}

NodePtr vector_of(std::int64_t count) {
    return make_node<ops::Parameter>(ElementType::i64, PartialShape{count});
}

// One call of a node, as a program runs it.
void add_node(const char* name, const NodePtr& op, const std::vector<Shape>& inputs,
              const Shape& output) {
    const std::string title = std::string("shape_arithmetic/") + name;
    benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) {
        std::vector<TensorInfo> seen;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Output& source = op->input(i);
            seen.push_back({source.element_type(), inputs[i],
                            source.node().known_value(source.index()), true});
        }
        const TensorInfo result{op->output_type(0), output, {}, true};
        const auto node = make_cpu_node(*op, {cpu_features().best()});
        const auto call = node->prepare({seen, {&result, 1}, 1});
        const std::vector<std::int64_t> ones(64, 1);
        std::vector<std::int64_t> to(64);
        const std::vector<const void*> from(inputs.size(), ones.data());
        void* const targets[] = {to.data()};
        SerialTeam team;
        for (auto _ : state) {
            call->run({from, targets, nullptr, team});
            benchmark::DoNotOptimize(to.data());
        }
    });
}

void add_shape_arithmetic() {
    const auto four = vector_of(4);
    const auto zero = ops::make_i64_scalar(0, "axis");
    const auto add = make_node<ops::Binary>(ops::BinaryFunction::add, four, four);
    const auto multiply = make_node<ops::Binary>(ops::BinaryFunction::multiply, four, vector_of(1));
    add_node("ShapeOf", make_node<ops::ShapeOf>(four), {{4, 3, 2}}, {3});
    add_node("Gather", make_node<ops::Gather>(four, vector_of(2), zero), {{4}, {2}, {}}, {2});
    add_node("Add", add, {{4}, {4}}, {4});
    add_node("Multiply by one element", multiply, {{4}, {1}}, {4});
    add_node("Concat", make_node<ops::Concat>(std::vector<Output>{four, vector_of(1)}, 0),
             {{4}, {1}}, {5});
}

}  // namespace

void add_typed_benchmarks() {
    add_typed_loops();
    add_half_nodes();
    add_movement();
    add_reductions();
    add_products();
    add_shape_arithmetic();
}

}  // namespace rondo::cpu::bench
