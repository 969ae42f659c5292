// Python's view of Metrics.
#include <pybind11/stl.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "rondo/metrics.hpp"

namespace py = pybind11;

namespace rondo::python {
namespace {

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

template <typename Class>
void bind_latency(Class& bound, const char* name, std::chrono::nanoseconds Metrics::*time,
                  const char* text) {
    bound.def_property_readonly(
        name, [time](const Metrics& self) { return seconds(self.*time); }, text);
}

std::vector<std::pair<double, std::uint64_t>> histogram(const Metrics& metrics) {
    std::vector<std::pair<double, std::uint64_t>> classes;
    for (const auto& one : metrics.latency_histogram) {
        classes.emplace_back(seconds(one.upper), one.count);
    }
    return classes;
}

std::string describe_metrics(const Metrics& metrics) {
    char latencies[64];
    std::snprintf(latencies, sizeof(latencies), "p50 %.3g ms, p99 %.3g ms",
                  seconds(metrics.latency_p50) * 1e3, seconds(metrics.latency_p99) * 1e3);
    return "<Metrics: " + std::to_string(metrics.inferences) +
           (metrics.inferences == 1 ? " inference, " : " inferences, ") +
           std::to_string(metrics.failed) + " failed, " + latencies + ">";
}

}  // namespace

void bind_metrics(py::module_& module) {
    py::class_<Metrics> bound(module, "Metrics",
                              "What all requests and stream pools of a compiled model have done, "
                              "from its creation on. Times are seconds.");
    bound
        .def_readonly("inferences", &Metrics::inferences,
                      "Inferences that succeeded; a batch of a stream pool is one.")
        .def_readonly("failed", &Metrics::failed, "Inferences that raised an error.")
        .def_readonly("cancelled", &Metrics::cancelled, "Inferences that were cancelled.")
        .def_readonly("running", &Metrics::running, "Inferences that run now.")
        .def_readonly("waiting", &Metrics::waiting, "Asynchronous inferences that have not begun.")
        .def_readonly("plans_made", &Metrics::plans_made, "Plans for new input shapes.")
        .def_readonly("plan_cache_hits", &Metrics::plan_cache_hits,
                      "Plans that a request needed and another one had made.")
        .def_readonly("arena_bytes", &Metrics::arena_bytes,
                      "Memory for tensors between nodes, of all requests together.")
        .def_property_readonly("latency_histogram", &histogram,
                               "Pairs of the longest time of a class and the number of its "
                               "inferences, ascending.")
        .def("__repr__", &describe_metrics);
    bind_latency(bound, "latency_p50", &Metrics::latency_p50,
                 "The median, without waiting, at most 4 % too large.");
    bind_latency(bound, "latency_p90", &Metrics::latency_p90, "9 of 10 were faster.");
    bind_latency(bound, "latency_p99", &Metrics::latency_p99, "99 of 100 were faster.");
    bind_latency(bound, "latency_max", &Metrics::latency_max, "The longest.");
}

}  // namespace rondo::python
