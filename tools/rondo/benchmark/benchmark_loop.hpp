// The measured loop: requests that run again and again until time or count is up.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rondo/compiled_model.hpp"

namespace rondo::tool {

/// One set of inputs; several are used in rotation.
using InputSet = std::map<std::string, Tensor>;

struct LoopLimits {
    std::size_t iterations = 0;  ///< 0: no limit
    double seconds = 0;          ///< 0: no limit
    bool async = true;
    double most_rate = 0;       ///< inferences started in a second; 0: no limit
    bool fills_inputs = false;  ///< each inference copies its inputs, which its latency includes
    /// Asked before each inference with the number of those that were started; false ends the loop.
    std::function<bool(std::size_t started)> goes_on = {};
};

struct Sample {
    double latency_ms = 0;
    double end_ms = 0;       ///< since the loop's start
    std::size_t inputs = 0;  ///< the number of its input set
};

struct LoopResult {
    std::vector<Sample> samples;  ///< in the order in which they ended
    double duration_ms = 0;
    std::vector<ProfilingInfo> profiling;  ///< real times added up over `profiled` inferences
    std::size_t profiled = 0;
};

/// The first inference of the first request, in ms: it makes plans and touches memory.
double first_inference(InferRequest& request, const InputSet& inputs);

/// Runs until a limit is reached. Every request runs through all input sets in rotation; the last
/// round is completed, so that asynchronous counts are multiples of the number of requests.
LoopResult measure(std::vector<InferRequest>& requests, const std::vector<InputSet>& inputs,
                   const LoopLimits& limits, bool profile);

}  // namespace rondo::tool
