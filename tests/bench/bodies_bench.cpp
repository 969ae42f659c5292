// What bodies cost: loops of 100 iterations with a small body, in each of the ways that they run,
// and choices. The body is h -> tanh(h * w + b) of 16 elements.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>

#include "core/graph/graph.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/core.hpp"
#include "tests/bench/benchmarks.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr int kRepetitions = 5;
constexpr std::int64_t kIterations = 100;
constexpr std::size_t kWidth = 16;

template <typename T, typename... Args>
std::shared_ptr<T> named(const std::string& name, Args&&... args) {
    auto node = make_node<T>(std::forward<Args>(args)...);
    node->set_name(name);
    return node;
}

NodePtr parameter(const std::string& name, const PartialShape& shape,
                  ElementType type = ElementType::f32) {
    return named<ops::Parameter>(name, type, shape);
}

NodePtr result(const std::string& name, const Output& value) {
    return named<ops::Result>(name, value);
}

NodePtr row_of(float value) {
    Tensor row(ElementType::f32, {kWidth});
    std::fill_n(row.data<float>(), kWidth, value);
    return named<ops::Constant>("row", row);
}

NodePtr number(std::int64_t value) { return ops::make_i64({value}, "number"); }

NodePtr flag(bool value) {
    Tensor tensor(ElementType::boolean, {});
    *tensor.data<bool>() = value;
    return named<ops::Constant>("flag", tensor);
}

NodePtr binary(ops::BinaryFunction function, const Output& a, const Output& b) {
    return named<ops::Binary>("binary", function, a, b);
}

NodePtr step_of(const Output& h) {
    const auto scaled = binary(ops::BinaryFunction::multiply, h, row_of(0.9F));
    const auto shifted = binary(ops::BinaryFunction::add, scaled, row_of(0.1F));
    return named<ops::Unary>("tanh", ops::UnaryFunction::tanh, shifted);
}

struct LoopKind {
    bool by_condition = false;  ///< a computed condition ends it
    bool joins = false;         ///< the values of all iterations
};

// Parameters of the body: h and left, which a condition counts down.
std::shared_ptr<Graph> loop_model(LoopKind kind) {
    const auto h = parameter("h", {kWidth}), left = parameter("left", {1}, ElementType::f32);
    const auto next = step_of(h);
    const auto less = binary(ops::BinaryFunction::subtract, left, named<ops::Constant>("one", [] {
                                 Tensor one(ElementType::f32, {1});
                                 *one.data<float>() = 1;
                                 return one;
                             }()));
    std::vector<NodePtr> results{
        result("more", kind.by_condition
                           ? Output(named<ops::Convert>("more", less, ElementType::boolean))
                           : Output(flag(true))),
        result("next", next), result("less", less),
        result("row", named<ops::Unsqueeze>("rows", next, ops::make_i64({0}, "axis")))};
    const auto body =
        std::make_shared<Graph>("body", std::vector<NodePtr>{h, left}, std::move(results));
    ops::BodyPorts ports{{{2, 0, {}, 1}, {3, 1, {}, 2}}, {{0, 1, {}}}};
    if (kind.joins) ports.outputs.push_back({1, 3, ops::PartRange{}});
    const auto x = parameter("x", {kWidth}), count = parameter("count", {1});
    const std::vector<Output> inputs{number(kind.by_condition ? -1 : kIterations), flag(true), x,
                                     count};
    const auto loop = named<ops::Loop>("loop", inputs, body, ports, ops::LoopPorts{{}, 0});
    std::vector<NodePtr> ends{result("last", loop->output(0))};
    if (kind.joins) ends.push_back(result("all", loop->output(1)));
    return std::make_shared<Graph>("loop", std::vector<NodePtr>{x, count}, std::move(ends));
}

std::shared_ptr<Graph> choice_model() {
    std::vector<GraphPtr> bodies;
    for (const float value : {1.0F, 2.0F}) {
        const auto h = parameter("h", {kWidth});
        bodies.push_back(std::make_shared<Graph>(
            "branch", std::vector<NodePtr>{h},
            std::vector<NodePtr>{
                result("next", binary(ops::BinaryFunction::add, h, row_of(value)))}));
    }
    const auto x = parameter("x", {kWidth});
    const auto condition = parameter("c", {}, ElementType::boolean);
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto node = named<ops::If>("choice", std::vector<Output>{condition, x}, bodies,
                                     std::vector<ops::BodyPorts>{ports, ports});
    return std::make_shared<Graph>("choice", std::vector<NodePtr>{x, condition},
                                   std::vector<NodePtr>{result("y", node)});
}

InferRequest request_of(const std::shared_ptr<Graph>& graph) {
    auto request = Core()
                       .compile_model(Model(graph), "CPU", {{property::kInferenceNumThreads, "1"}})
                       .create_infer_request();
    request.set_input_tensor(0, Tensor(ElementType::f32, {kWidth}));
    return request;
}

void run_loop(benchmark::State& state, LoopKind kind) {
    InferRequest request = request_of(loop_model(kind));
    Tensor count(ElementType::f32, {1});
    *count.data<float>() = static_cast<float>(kIterations);
    request.set_input_tensor(1, count);
    for (auto _ : state) request.infer();
    state.counters["per_iteration"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * static_cast<double>(kIterations),
        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void run_choice(benchmark::State& state, bool condition) {
    InferRequest request = request_of(choice_model());
    Tensor flag(ElementType::boolean, {});
    *flag.data<bool>() = condition;
    request.set_input_tensor(1, flag);
    for (auto _ : state) request.infer();
}

}  // namespace

void add_bodies_benchmarks() {
    const auto add_one = [](const char* name, auto* run, auto argument) {
        benchmark::RegisterBenchmark(name, run, argument)
            ->Repetitions(kRepetitions)
            ->ReportAggregatesOnly()
            ->ComputeStatistics("min", [](const std::vector<double>& times) {
                return *std::min_element(times.begin(), times.end());
            });
    };
    add_one("bodies/loop_100/counted", run_loop, LoopKind{});
    add_one("bodies/loop_100/counted_joined", run_loop, LoopKind{false, true});
    add_one("bodies/loop_100/by_condition", run_loop, LoopKind{true, false});
    add_one("bodies/loop_100/by_condition_joined", run_loop, LoopKind{true, true});
    add_one("bodies/if/then", run_choice, true);
    add_one("bodies/if/else", run_choice, false);
}

}  // namespace rondo::cpu::bench
