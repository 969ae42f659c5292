// Whole layers on one thread: every cell kernel, H, N; T = 100. Input size = H.
#include <benchmark/benchmark.h>

#include <string>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "tests/bench/benchmarks.hpp"
#include "tests/bench/random_elements.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr std::int64_t kTime = 100;

void run_layer(benchmark::State& state, const CellConfig& cell, Isa isa, std::int64_t batch,
               std::int64_t time) {
    const std::int64_t hidden = cell.hidden_size, gates = gates_of(cell);
    const ElementType type = cell.weights.type;
    const ElementType data = type == ElementType::f64 ? type : ElementType::f32;
    const auto w = random_elements(type, gates * hidden * cell.input_size);
    const auto r = random_elements(type, gates * hidden * hidden);
    const auto b = random_elements(data, biases_of(cell) * hidden);
    const auto x = random_elements(data, batch * time * cell.input_size);
    std::vector<double> y(static_cast<std::size_t>(batch * time * hidden));
    const SequenceConfig config{{cell}, Direction::forward, cell.weights, data};
    // Numbers of one size in all formats: gates far from 0 may take longer.
    const std::vector<float> scales(static_cast<std::size_t>(gates * hidden),
                                    1 / integers_of_one(type));
    const float* scale = cell.weights.integers() ? scales.data() : nullptr;
    const RecurrentSequence sequence(config, isa,
                                     {w.data(), r.data(), b.data(), nullptr, scale, scale});
    SequenceArgs args = dense_args(config, batch, time);
    args.x = x.data();
    args.y = y.data();
    SerialTeam team;
    const SequencePlan plan = sequence.prepare(batch, time, 1);
    AlignedBuffer scratch(plan.scratch_bytes / sizeof(float));
    for (auto _ : state) sequence.run(plan, args, team, scratch.data());
    const double flops =
        2.0 * static_cast<double>(gates * hidden * (cell.input_size + hidden) * batch * time);
    state.counters["FLOP/s"] =
        benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["s/step"] = benchmark::Counter(
        static_cast<double>(time),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void add_layer(const CellKernelEntry& entry, const CellConfig& cell, std::int64_t batch,
               std::int64_t time) {
    const std::string name = std::string(entry.name) + "/H:" + std::to_string(cell.hidden_size) +
                             "/N:" + std::to_string(batch) + "/T:" + std::to_string(time);
    benchmark::RegisterBenchmark(name.c_str(), run_layer, cell, entry.isa, batch, time);
}

void add_layers(const CellKernelEntry& entry) {
    for (std::int64_t hidden : {64, 128, 256, 512, 1024}) {
        CellConfig cell = default_cell(entry.kind, hidden, hidden);
        cell.weights = entry.weights;
        for (std::int64_t batch : {1, 4, 16, 64}) add_layer(entry, cell, batch, kTime);
        add_layer(entry, cell, 1, 1);
    }
}

}  // namespace

// The plain kernels are a fallback: their speed is no goal.
void add_recurrent_benchmarks() {
    for (const auto entries : {cell_kernels(), rounding_cell_kernels()}) {
        for (const CellKernelEntry& entry : entries) {
            if (entry.isa > cpu_features().best() || entry.isa == Isa::plain) continue;
            add_layers(entry);
        }
    }
}

}  // namespace rondo::cpu::bench
