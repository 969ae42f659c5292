// The figures of a model's streams at the server's /metrics.
#pragma once

#include <string>
#include <vector>

#include "bindings/triton/triton_api.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo::triton {

/// What the gauges and counters of all models belong to. A server without metrics makes none. A
/// model that is loaded again may be there twice for a while, under one name; the server counts the
/// users of a metric within its family, and a second family would end what the first still uses.
class GaugeFamilies {
public:
    GaugeFamilies();
    ~GaugeFamilies();
    GaugeFamilies(const GaugeFamilies&) = delete;
    GaugeFamilies& operator=(const GaugeFamilies&) = delete;

    const std::vector<TRITONSERVER_MetricFamily*>& all() const { return families_; }

private:
    std::vector<TRITONSERVER_MetricFamily*> families_;
};

/// The gauges and counters of one model. The families must outlive them.
class Gauges {
public:
    Gauges(const GaugeFamilies& families, const std::string& model, const std::string& version);
    ~Gauges();
    Gauges(const Gauges&) = delete;
    Gauges& operator=(const Gauges&) = delete;

    void set(const StreamPoolStats& stats) noexcept;

private:
    std::vector<TRITONSERVER_Metric*> metrics_;
    std::vector<double> last_;  // of counters, which the server wants increments of
};

}  // namespace rondo::triton
