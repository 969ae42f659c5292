// `rondo benchmark -streams`: how many live streams a machine serves, and how fast.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "benchmark/benchmark_loop.hpp"

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

}  // namespace rondo::tool
