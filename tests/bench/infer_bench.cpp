// What infer() costs besides the model: one small node through the public API.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "core/graph/graph.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/core.hpp"
#include "tests/bench/benchmarks.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr int kInferRepetitions = 9;

using MakeNode = NodePtr (*)(const NodePtr& x);

NodePtr relu(const NodePtr& x) { return make_node<ops::Unary>(ops::UnaryFunction::relu, x); }
NodePtr add(const NodePtr& x) { return make_node<ops::Binary>(ops::BinaryFunction::add, x, x); }

InferRequest request_of(MakeNode make, const PartialShape& shape) {
    const auto x = make_node<ops::Parameter>(ElementType::f32, shape);
    x->set_name("x");
    const auto node = make(x);
    node->set_name("node");
    const auto result = make_node<ops::Result>(node);
    result->set_name("y");
    const auto graph =
        std::make_shared<Graph>("one node", std::vector<NodePtr>{x}, std::vector<NodePtr>{result});
    auto request = Core().compile_model(Model(graph)).create_infer_request();
    request.set_input_tensor(Tensor(ElementType::f32, {4}));
    return request;
}

void run_infer(benchmark::State& state, MakeNode make, const PartialShape& shape) {
    InferRequest request = request_of(make, shape);
    for (auto _ : state) request.infer();
}

// With new tensors at each call, as a server does.
void run_set_and_infer(benchmark::State& state, MakeNode make, const PartialShape& shape) {
    InferRequest request = request_of(make, shape);
    const Tensor x(ElementType::f32, {4});
    const Tensor y(ElementType::f32, {4});
    for (auto _ : state) {
        request.set_input_tensor(0, x);
        request.set_output_tensor(0, y);
        request.infer();
    }
}

void run_async(benchmark::State& state, MakeNode make, const PartialShape& shape) {
    InferRequest request = request_of(make, shape);
    for (auto _ : state) {
        request.start_async();
        request.wait();
    }
}

}  // namespace

void add_infer_benchmarks() {
    const auto add_one = [](const char* name, auto* run, MakeNode make, PartialShape shape) {
        benchmark::RegisterBenchmark(name, run, make, shape)
            ->Repetitions(kInferRepetitions)
            ->ReportAggregatesOnly()
            ->ComputeStatistics("min", [](const std::vector<double>& times) {
                return *std::min_element(times.begin(), times.end());
            });
    };
    add_one("infer/Relu/4", run_infer, relu, {4});
    add_one("infer/Relu/open", run_infer, relu, {Dimension()});
    add_one("infer/Add/4", run_infer, add, {4});
    add_one("set_tensor_and_infer/Relu/4", run_set_and_infer, relu, {4});
    add_one("start_async_and_wait/Relu/4", run_async, relu, {4});
}

}  // namespace rondo::cpu::bench
