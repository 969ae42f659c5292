#include "tests/bench/strategy_measure.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/bench/random_elements.hpp"
#include "tests/support/forced_plan.hpp"
#include "tests/support/idle_cpu.hpp"

namespace rondo::cpu::bench {
namespace {

using Clock = std::chrono::steady_clock;

// A call that takes this long needs no warm-up, and is repeated less often.
constexpr double kLongCall = 50e3;
constexpr int kLongBursts = 3;

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

SequenceConfig config_of(const StrategyCase& shape) {
    SequenceConfig config;
    CellConfig cell = default_cell(shape.kind, shape.hidden, shape.hidden);
    cell.weights = config.input_weights = shape.weights;
    config.cells.assign(static_cast<std::size_t>(shape.directions), cell);
    if (shape.directions == 2) config.direction = Direction::bidirectional;
    return config;
}

RecurrentSequence sequence_of(const StrategyCase& shape) {
    const SequenceConfig config = config_of(shape);
    const CellConfig& cell = config.cells[0];
    const std::int64_t gates = shape.directions * gates_of(cell) * shape.hidden;
    const auto w = random_elements(cell.weights.type, gates * shape.hidden);
    const auto r = random_elements(cell.weights.type, gates * shape.hidden);
    const auto b = random_floats(shape.directions * biases_of(cell) * shape.hidden);
    return RecurrentSequence(config, best_isa(), {w.data(), r.data(), b.data(), nullptr});
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

const StrategyTime& StrategyRow::time_of(Strategy strategy) const {
    for (const StrategyTime& time : times) {
        if (time.plan.choice.strategy == strategy) return time;
    }
    internal_check(false, "a strategy that was not measured");
    return times.front();
}

const StrategyTime& StrategyRow::best() const {
    return *std::min_element(
        times.begin(), times.end(),
        [](const StrategyTime& a, const StrategyTime& b) { return a.median < b.median; });
}

// One layer, and the tensors of one size.
class StrategyMeter::Layer {
public:
    explicit Layer(const StrategyCase& shape) : shape_(shape), sequence_(sequence_of(shape)) {}

    const StrategyCase& shape() const { return shape_; }
    const RecurrentSequence& sequence() const { return sequence_; }

    // Sizes of the call; `plans` share the scratch.
    void resize(const StrategyCase& shape, const std::vector<StrategyTime>& times) {
        x_ = random_floats(shape.batch * shape.time * shape.hidden);
        y_.resize(x_.size() * static_cast<std::size_t>(shape.directions));
        args_ = dense_args(sequence_.config(), shape.batch, shape.time);
        args_.x = x_.data();
        args_.y = y_.data();
        std::size_t bytes = 0;
        for (const StrategyTime& time : times) {
            bytes = std::max(bytes, time.plan.scratch_bytes);
        }
        scratch_ = AlignedBytes(bytes);
    }

    // Microseconds of one call.
    double run(const SequencePlan& plan, Team& team) {
        const auto start = Clock::now();
        sequence_.run(plan, args_, team, scratch_.data());
        return microseconds_since(start);
    }

    // Microseconds a call, in a row of them.
    double burst(const SequencePlan& plan, Team& team, const MeasureOptions& options) {
        double total = 0;
        int calls = 0;
        for (; calls == 0 || total < options.burst_microseconds; ++calls) {
            if (options.gap_microseconds > 0) {
                std::this_thread::sleep_for(
                    std::chrono::duration<double, std::micro>(options.gap_microseconds));
            }
            total += run(plan, team);
        }
        return total / calls;
    }

    // For each strategy: the microseconds a call of each burst.
    std::vector<std::vector<double>> take_turns(const std::vector<StrategyTime>& times, Team& team,
                                                const MeasureOptions& options) {
        const FlushDenormals flush(true);
        std::vector<std::vector<double>> bursts(times.size());
        int rounds = options.bursts;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < times.size(); ++i) {
                const SequencePlan& plan = times[i].plan;
                test::wait_until_idle();
                const double first = run(plan, team);
                const bool takes_long = first > kLongCall;
                if (takes_long) rounds = std::min(rounds, kLongBursts);
                bursts[i].push_back(takes_long ? first : burst(plan, team, options));
            }
        }
        return bursts;
    }

private:
    StrategyCase shape_;
    RecurrentSequence sequence_;
    std::vector<float> x_, y_;
    AlignedBytes scratch_;
    SequenceArgs args_;
};

StrategyMeter::StrategyMeter() = default;
StrategyMeter::~StrategyMeter() = default;

StrategyRow StrategyMeter::measure(const StrategyCase& shape, const MeasureOptions& options) {
    if (!layer_ || !layer_->shape().same_layer(shape)) layer_ = std::make_unique<Layer>(shape);
    if (!team_ || team_->size() != shape.threads) team_ = make_team(shape.threads);
    const RecurrentSequence& sequence = layer_->sequence();
    StrategyRow row;
    row.shape = shape;
    row.chosen = sequence.prepare(shape.batch, shape.time, shape.threads).choice.strategy;
    for (const Strategy strategy : kStrategies) {
        const auto plan = forced_plan(sequence, strategy, shape.batch, shape.time, shape.threads);
        if (plan) row.times.push_back({*plan});
    }
    layer_->resize(shape, row.times);

    const auto bursts = layer_->take_turns(row.times, *team_, options);
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        row.times[i].least = *std::min_element(bursts[i].begin(), bursts[i].end());
        row.times[i].median = median_of(bursts[i]);
    }
    return row;
}

}  // namespace rondo::cpu::bench
