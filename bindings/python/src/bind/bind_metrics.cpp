// Python's view of Metrics and StreamPoolStats.
#include <pybind11/stl.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "rondo/metrics.hpp"
#include "rondo/stream_pool.hpp"

namespace py = pybind11;

namespace rondo::python {
namespace {

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

template <typename Counts>
void bind_latencies(py::class_<Counts>& bound, const char* of_p50) {
    const auto add = [&](const char* name, std::chrono::nanoseconds Counts::*time,
                         const char* text) {
        bound.def_property_readonly(
            name, [time](const Counts& self) { return seconds(self.*time); }, text);
    };
    add("latency_p50", &Counts::latency_p50, of_p50);
    add("latency_p90", &Counts::latency_p90, "9 of 10 were faster.");
    add("latency_p99", &Counts::latency_p99, "99 of 100 were faster.");
    add("latency_max", &Counts::latency_max, "The longest.");
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

std::string describe_stats(const StreamPoolStats& stats) {
    char latencies[96];
    std::snprintf(latencies, sizeof(latencies), "p50 %.3g ms, p99 %.3g ms, max %.3g ms",
                  seconds(stats.latency_p50) * 1e3, seconds(stats.latency_p99) * 1e3,
                  seconds(stats.latency_max) * 1e3);
    return "<StreamPoolStats: " + std::to_string(stats.streams) + " streams, " +
           std::to_string(stats.steps) + " steps in " + std::to_string(stats.batches) +
           " batches, " + std::to_string(stats.waiting) + " waiting, " + latencies + ">";
}

void bind_stats(py::module_& module) {
    py::class_<StreamPoolStats> bound(module, "StreamPoolStats",
                                      "What a pool has done, from its creation on. Times are "
                                      "seconds.");
    bound.def_readonly("steps", &StreamPoolStats::steps, "Steps that ended with outputs.")
        .def_readonly("failed", &StreamPoolStats::failed, "Steps whose inference failed.")
        .def_readonly("dropped", &StreamPoolStats::dropped,
                      "Steps that were cancelled, or dropped from a full queue.")
        .def_readonly("rejected", &StreamPoolStats::rejected, "Pushes that raised QueueFullError.")
        .def_readonly("batches", &StreamPoolStats::batches, "Inferences.")
        .def_readonly("late", &StreamPoolStats::late, "Steps that ended behind their deadline.")
        .def_readonly("batch_counts", &StreamPoolStats::batch_counts,
                      "At [n]: how many batches had n steps.")
        .def_readonly("streams", &StreamPoolStats::streams, "Streams that are open.")
        .def_readonly("waiting", &StreamPoolStats::waiting, "Steps that wait or run.")
        .def_readonly("occupancy", &StreamPoolStats::occupancy,
                      "The share of the time in which the pool's threads ran inferences.")
        .def_readonly("why_not_batched", &StreamPoolStats::why_not_batched,
                      "Why steps aren't batched; empty where they are.")
        .def("__repr__", &describe_stats);
    bind_latencies(bound, "From the push to the outputs: the median, at most 4 % too large.");
}

}  // namespace

void bind_metrics(py::module_& module) {
    bind_stats(module);
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
    bind_latencies(bound, "The median, without waiting, at most 4 % too large.");
}

}  // namespace rondo::python
