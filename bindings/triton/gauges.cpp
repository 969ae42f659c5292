#include "bindings/triton/gauges.hpp"

#include <chrono>

#include "bindings/triton/server_error.hpp"

namespace rondo::triton {
namespace {

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

struct Row {
    const char* name;
    TRITONSERVER_MetricKind kind;
    const char* description;
    double (*value)(const StreamPoolStats& stats);
};

using Stats = const StreamPoolStats&;
constexpr auto kCounter = TRITONSERVER_METRIC_KIND_COUNTER;
constexpr auto kGauge = TRITONSERVER_METRIC_KIND_GAUGE;

const Row kRows[] = {
    {"rondo_streams", kGauge, "Sequences that are open",
     [](Stats stats) { return static_cast<double>(stats.streams); }},
    {"rondo_steps_waiting", kGauge, "Steps that wait or run",
     [](Stats stats) { return static_cast<double>(stats.waiting); }},
    {"rondo_occupancy", kGauge, "Share of the time in which the threads ran inferences, 0 to 1",
     [](Stats stats) { return stats.occupancy; }},
    {"rondo_step_latency_p50_seconds", kGauge, "Median time of a step with its waiting",
     [](Stats stats) { return seconds(stats.latency_p50); }},
    {"rondo_step_latency_p99_seconds", kGauge, "99th percentile of a step with its waiting",
     [](Stats stats) { return seconds(stats.latency_p99); }},
    {"rondo_steps_total", kCounter, "Steps that ended with outputs",
     [](Stats stats) { return static_cast<double>(stats.steps); }},
    {"rondo_batches_total", kCounter, "Inferences, each of one step or more",
     [](Stats stats) { return static_cast<double>(stats.batches); }},
    {"rondo_steps_failed_total", kCounter, "Steps whose inference failed",
     [](Stats stats) { return static_cast<double>(stats.failed); }},
    {"rondo_steps_dropped_total", kCounter, "Steps that were cancelled or dropped",
     [](Stats stats) { return static_cast<double>(stats.dropped); }},
    {"rondo_steps_rejected_total", kCounter, "Steps that found their queue full",
     [](Stats stats) { return static_cast<double>(stats.rejected); }},
    {"rondo_steps_late_total", kCounter, "Steps that ended past their deadline",
     [](Stats stats) { return static_cast<double>(stats.late); }},
};

void log_absence(TRITONSERVER_Error* error) {
    log_line(TRITONSERVER_LOG_INFO,
             std::string("no figures of streams at /metrics: ") + TRITONSERVER_ErrorMessage(error));
    ignore(error);
}

}  // namespace

GaugeFamilies::GaugeFamilies() {
    for (const Row& row : kRows) {
        TRITONSERVER_MetricFamily* family = nullptr;
        TRITONSERVER_Error* error =
            TRITONSERVER_MetricFamilyNew(&family, row.kind, row.name, row.description);
        if (error != nullptr) {
            log_absence(error);
            break;
        }
        families_.push_back(family);
    }
}

GaugeFamilies::~GaugeFamilies() {
    for (TRITONSERVER_MetricFamily* family : families_) {
        ignore(TRITONSERVER_MetricFamilyDelete(family));
    }
}

Gauges::Gauges(const GaugeFamilies& families, const std::string& model,
               const std::string& version) {
    TRITONSERVER_Parameter* labels[] = {
        TRITONSERVER_ParameterNew("model", TRITONSERVER_PARAMETER_STRING, model.c_str()),
        TRITONSERVER_ParameterNew("version", TRITONSERVER_PARAMETER_STRING, version.c_str())};
    for (TRITONSERVER_MetricFamily* family : families.all()) {
        TRITONSERVER_Metric* metric = nullptr;
        TRITONSERVER_Error* error = TRITONSERVER_MetricNew(
            &metric, family, const_cast<const TRITONSERVER_Parameter**>(labels), 2);
        if (error != nullptr) {
            log_absence(error);
            break;
        }
        metrics_.push_back(metric);
    }
    last_.resize(metrics_.size());
    for (TRITONSERVER_Parameter* label : labels) TRITONSERVER_ParameterDelete(label);
}

Gauges::~Gauges() {
    for (TRITONSERVER_Metric* metric : metrics_) ignore(TRITONSERVER_MetricDelete(metric));
}

void Gauges::set(const StreamPoolStats& stats) noexcept {
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
        const double value = kRows[i].value(stats);
        ignore(kRows[i].kind == kGauge
                   ? TRITONSERVER_MetricSet(metrics_[i], value)
                   : TRITONSERVER_MetricIncrement(metrics_[i], value - last_[i]));
        last_[i] = value;
    }
}

}  // namespace rondo::triton
