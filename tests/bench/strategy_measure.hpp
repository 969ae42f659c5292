// Times every strategy that a layer can run as, in turns.
#pragma once

#include <memory>
#include <vector>

#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "tests/bench/strategy_case.hpp"

namespace rondo::cpu::bench {

/// What a wrong choice may cost at most, as a multiple of the best strategy's time.
inline constexpr double kWorstCost = 1.15;

struct MeasureOptions {
    int bursts = 9;                    ///< rounds: A B C D A B C D ...
    double burst_microseconds = 2000;  ///< of calls; one call at least
    double gap_microseconds = 0;       ///< of sleep before each call, so that threads are cold
};

/// Microseconds a call: of each burst the mean, of all bursts the least and the median.
struct StrategyTime {
    SequencePlan plan;  ///< with what the model expected
    double least = 0;
    double median = 0;
};

struct StrategyRow {
    StrategyCase shape;
    Strategy chosen = Strategy::serial;
    std::vector<StrategyTime> times;  ///< of the strategies that this shape allows

    const StrategyTime& time_of(Strategy strategy) const;
    const StrategyTime& best() const;  ///< by its median
    double cost() const { return time_of(chosen).median / best().median; }
};

/// Keeps the layer of the last case, since packing large weights takes longer than running them.
class StrategyMeter {
public:
    StrategyMeter();
    ~StrategyMeter();

    StrategyRow measure(const StrategyCase& shape, const MeasureOptions& options);

private:
    class Layer;

    std::unique_ptr<Layer> layer_;
    std::unique_ptr<Team> team_;
};

}  // namespace rondo::cpu::bench
