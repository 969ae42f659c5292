// One LSTM layer as a model, for benchmarks that go through the public API.
#pragma once

#include <cstdint>

#include "rondo/model.hpp"

namespace rondo::cpu::bench {

struct LayerModelCase {
    std::int64_t hidden = 0;  ///< H = I
    std::int64_t batch = 1;
    std::int64_t time = 100;
    bool bidirectional = false;
};

/// Input "x" [N,T,I], result "y" [N,D,T,H]; states start at 0.
Model layer_model(const LayerModelCase& layer);

}  // namespace rondo::cpu::bench
