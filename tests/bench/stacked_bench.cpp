// Two stacked layers on two threads: a wavefront, layers one by one, and one thread.
#include <benchmark/benchmark.h>

#include <string>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_floats.hpp"
#include "tests/support/forced_plan.hpp"

namespace rondo::cpu::bench {
namespace {

struct Stack {
    CellConfig cell;
    StackedStrategy strategy;
    std::int64_t batch;
    std::int64_t time;
};

// The plan that would be chosen where it has this strategy, else the nearest to it.
StackedPlan plan_of(const StackedSequence& layers, const Stack& stack, int threads) {
    const StackedPlan chosen = layers.prepare(stack.batch, stack.time, threads);
    if (chosen.choice.strategy == stack.strategy) return chosen;
    constexpr std::int64_t kTile = 8;
    const int slices = stack.strategy == StackedStrategy::wavefront ? 2 : 1;
    return forced_plan(layers, {stack.strategy, slices, kTile, 0, 0},
                       layers.shape(stack.batch, stack.time, threads));
}

void run_stack(benchmark::State& state, const Stack& stack) {
    const std::int64_t hidden = stack.cell.hidden_size, gates = gates_of(stack.cell);
    const auto w = random_floats(gates * hidden * hidden);
    const auto r = random_floats(gates * hidden * hidden);
    const auto b = random_floats(biases_of(stack.cell) * hidden);
    const auto x = random_floats(stack.batch * stack.time * hidden);
    auto y = random_floats(stack.batch * stack.time * hidden);
    SequenceConfig config;
    config.cells = {stack.cell};
    const StackedLayer layer{config, {w.data(), r.data(), b.data(), nullptr}};
    const StackedLayer layers[] = {layer, layer};
    const StackedSequence sequence(layers, best_isa());
    StackedLayerArgs tensors[2];
    tensors[1].y = y.data();
    StackedArgs args;
    args.batch = stack.batch;
    args.time = stack.time;
    args.x = x.data();
    args.layers = tensors;
    const auto team = make_team(stack.strategy == StackedStrategy::serial ? 1 : 2);
    const StackedPlan plan = plan_of(sequence, stack, team->size());
    AlignedBytes scratch(plan.scratch_bytes);
    for (auto _ : state) sequence.run(plan, args, *team, scratch.data());
    state.counters["s/step"] = benchmark::Counter(
        static_cast<double>(stack.time),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void add_stack(const Stack& stack) {
    std::string name = std::string("stacked/") + to_string(stack.cell.kind) +
                       "/H:" + std::to_string(stack.cell.hidden_size) + "/" +
                       to_string(stack.strategy);
    if (stack.time != 100) name += "/T:" + std::to_string(stack.time);
    benchmark::RegisterBenchmark(name.c_str(), run_stack, stack)->UseRealTime();
}

}  // namespace

void add_stacked_benchmarks() {
    using S = StackedStrategy;
    for (CellKind kind : {CellKind::lstm, CellKind::gru_linear_before_reset}) {
        for (std::int64_t hidden : {32, 64, 128, 256}) {
            for (S strategy : {S::serial, S::one_by_one, S::wavefront}) {
                add_stack({default_cell(kind, hidden, hidden), strategy, 1, 100});
            }
            add_stack({default_cell(kind, hidden, hidden), S::wavefront, 1, 1000});
        }
    }
}

}  // namespace rondo::cpu::bench
