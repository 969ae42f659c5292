// `rondo benchmark -streams`: how many live streams a machine serves, and how fast.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "benchmark/benchmark_loop.hpp"
#include "streams/live_streams.hpp"

namespace rondo::tool {

/// The number that `-streams` names; 0 for "max". Throws ModelError for anything else.
std::size_t wanted_streams(const std::string& text);

/// Simulates as many streams as `-streams` says, or finds the largest number for which the 99th
/// percentile of the latency stays within `-latency_bound`; prints a row a trial, and writes the
/// report and the plot that were asked for. `inputs`: sets of one step's inputs, used in rotation.
/// Ctrl-C and SIGTERM end the trials; what was measured is reported. Returns the exit code.
/// Throws ModelError for a model whose steps have no outputs in time even with one stream.
int benchmark_streams(CompiledModel& model, const std::vector<InputSet>& inputs,
                      const BenchmarkOptions& options);

enum class Verdict {
    in_time,
    saturated,  ///< late, and the pool's threads ran nearly all the time
    stalled,    ///< late now and then, while the core was idle or ran something else
    slow,       ///< late often, while the core was idle: the steps themselves take so long
    failed,     ///< steps ended with an error
    interrupted
};

/// The verdict on a trial whose 99th percentile must stay within the bound.
Verdict verdict_of(const LiveResult& result, double bound_ms);

/// "in time", "saturated" and so on.
std::string verdict_text(Verdict verdict);

/// Repeats a trial until one is in time, or another would show the same: one that stalled is tried
/// five times, a slow one twice, all others once. Returns whether one was in time.
bool holds_in_any(const std::function<Verdict()>& trial);

/// Why no more streams are served, in a sentence: of the trial with the lowest p99 of those with
/// the smallest number of streams that failed.
std::string bound_text(const LiveResult& result, double bound_ms);

}  // namespace rondo::tool
