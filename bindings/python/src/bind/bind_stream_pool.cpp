// Python's view of StreamPool and its statistics.
#include <pybind11/stl.h>

#include <cstdio>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/run/stream_pool.hpp"

namespace rondo::python {
namespace {

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
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

template <typename Class>
void bind_latency(Class& bound, const char* name, std::chrono::nanoseconds StreamPoolStats::*time,
                  const char* text) {
    bound.def_property_readonly(
        name, [time](const StreamPoolStats& self) { return seconds(self.*time); }, text);
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
    bind_latency(bound, "latency_p50", &StreamPoolStats::latency_p50,
                 "From the push to the outputs: the median, at most 4 % too large.");
    bind_latency(bound, "latency_p90", &StreamPoolStats::latency_p90, "9 of 10 were faster.");
    bind_latency(bound, "latency_p99", &StreamPoolStats::latency_p99, "99 of 100 were faster.");
    bind_latency(bound, "latency_max", &StreamPoolStats::latency_max, "The longest.");
}

}  // namespace

void bind_stream_pool(py::module_& module) {
    bind_stats(module);
    py::class_<PyStreamPool>(module, "StreamPool",
                             "Runs the steps of many streams on one compiled model, whose "
                             "variables are kept for each stream. Thread-safe.")
        .def("open", &PyStreamPool::open, py::arg("priority") = 0, py::arg("deadline") = 0.01,
             "A new stream. Steps of higher priority run first, then those whose deadline (seconds "
             "from push to result) ends first. Raises QueueFullError where max_streams are open.")
        .def("stats", &PyStreamPool::stats, "What the pool has done so far: StreamPoolStats.")
        .def("warm_up", &PyStreamPool::warm_up, py::arg("inputs"),
             "Plans inferences of up to max_batch steps with inputs as these.")
        .def("close", &PyStreamPool::close, "Closes all streams and cancels the steps that wait.")
        .def("__enter__", [](const py::object& self) { return self; })
        .def("__exit__", [](PyStreamPool& self, const py::args&) { self.close(); })
        .def("__repr__", [](const PyStreamPool& self) {
            return "<StreamPool: " + std::to_string(self.stats().streams) + " streams>";
        });
}

}  // namespace rondo::python
