// The figures of a model's streams at the server's /metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/triton/triton_api.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo::triton {

/// The gauges and counters of one model. A server without metrics makes none.
class Gauges {
public:
    Gauges(const std::string& model, const std::string& version);
    ~Gauges();
    Gauges(const Gauges&) = delete;
    Gauges& operator=(const Gauges&) = delete;

    void set(const StreamPoolStats& stats) noexcept;

private:
    struct Gauge {
        TRITONSERVER_MetricFamily* family = nullptr;
        TRITONSERVER_Metric* metric = nullptr;
        double last = 0;  ///< of a counter, which the server wants increments of
    };
    std::vector<Gauge> gauges_;
};

}  // namespace rondo::triton
