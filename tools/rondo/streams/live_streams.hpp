// Simulates live streams: many sequences whose chunks arrive in real time.
#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <time.h>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "rondo/compiled_model.hpp"
#include "statistics.hpp"

namespace rondo::tool {

/// Shares of the time, from 0 to 1. What is left, the threads slept.
struct ThreadShares {
    double running = 0;
    double waiting =
        0;  ///< ready to run, while the core was another's; 0 if the kernel doesn't say
};

/// Notes threads of another owner when they call, and reads their clocks while they live.
class ThreadClocks {
public:
    /// Notes the calling thread.
    void note();
    /// The same, and later calls cost next to nothing. The thread calls it for no other object.
    void note_once();
    /// What became of the time since they were noted, on the average of the threads.
    ThreadShares shares() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Thread {
        clockid_t clock;
        pid_t id;
        double ran;     ///< seconds, when it was noted
        double waited;  ///< likewise
        Clock::time_point noted;
    };

    mutable std::mutex mutex_;
    std::vector<Thread> threads_;
};

struct LiveOptions {
    std::size_t streams = 1;
    double rate = 31.25;   ///< chunks of a stream in a second
    double seconds = 2;    ///< of arrivals
    double bound_ms = 10;  ///< steps with a longer latency are late
    StreamPoolOptions pool;
    /// Inputs of a step, in the order of the model's; streams and steps take them in turn.
    std::vector<std::vector<Tensor>> chunks;
    /// Called before each step with the number of those that were pushed; false ends the arrivals,
    /// and steps that wait don't run.
    std::function<bool(std::size_t pushed)> goes_on = {};
};

struct LiveResult {
    std::size_t streams = 0;
    std::size_t steps = 0;     ///< that ended with outputs
    std::size_t rejected = 0;  ///< whose stream had too many steps waiting
    std::size_t failed = 0;
    bool is_interrupted = false;  ///< `goes_on` ended it
    /// From the time at which a chunk was due to its outputs, in milliseconds; those of the first
    /// tenth of the time, in which the machine settles, don't count.
    LatencyStatistics latency;  ///< its percentile: 90
    double p95 = 0;
    double real_time_factor = 0;  ///< seconds of all streams that a second processed
    double mean_batch = 0;
    double occupancy = 0;  ///< share of the time in which the pool's threads were in inferences
    /// What the pool's threads did. If they ran for less time than they were in inferences,
    /// others had the core meanwhile.
    ThreadShares threads;
    ThreadShares driver;  ///< of the thread that pushes
    /// Stretches of time in which each late step was due before the one in front of it had ended,
    /// and the length of the longest.
    std::size_t late_spells = 0;
    double longest_spell_ms = 0;
    std::string why_not_batched;  ///< as the pool says; empty if steps were batched
};

/// The streams begin evenly spread over one period. Latencies count from the time at which a chunk
/// was due, so that a driver or pool that is late doesn't hide it. Throws what opening or pushing
/// throws, except for full queues, which are counted.
LiveResult run_live(CompiledModel& model, const LiveOptions& options);

/// The largest number of streams for which `holds` is true, to within 2 %, by doubling and then
/// halving intervals. 0 if a single stream fails. `holds` is called with at most `most`.
std::size_t largest_number(std::size_t first, std::size_t most,
                           const std::function<bool(std::size_t)>& holds);

/// A step that was late, in milliseconds of one clock.
struct DynamicStep {
    double due;
    double end;
};

struct LateSpells {
    std::size_t count = 0;
    double longest_ms = 0;
};

/// A spell holds the late steps of which each was due before all in front of it had ended; it lasts
/// from the first one's due time to the last end. The steps may be in any order.
LateSpells spells_of(std::vector<DynamicStep> steps);

}  // namespace rondo::tool
