// Times inferences beside other processes, and the processor time of idle teams.
#pragma once

#include <vector>

#include "tests/bench/layer_model.hpp"

namespace rondo::cpu::bench {

/// Microseconds of single inferences.
struct CallTimes {
    double median = 0;
    double mean = 0;
    double p99 = 0;
};

struct SharedRunOptions {
    int rounds = 7;
    double burst_microseconds = 40e3;  ///< longer than the scheduler's time slices
};

/// The same model compiled for each number of threads; bursts in turns, A B A B.
std::vector<CallTimes> time_threads(const LayerModelCase& layer, const std::vector<int>& threads,
                                    const SharedRunOptions& options);

struct IdleTimes {
    std::string strategy;  ///< as profiles name it, such as "lstm_avx512_f32 hidden_split 2"
    double median = 0;     ///< microseconds of processor time in 100 ms after inferences
    double most = 0;
};

/// What threads other than the caller use after the last of some inferences.
IdleTimes time_idle(const LayerModelCase& layer, int threads, const SharedRunOptions& options);

}  // namespace rondo::cpu::bench
