#include "benchmark/trace_file.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "json_text.hpp"

namespace rondo::tool {
namespace {

double microseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e3;
}

nlohmann::json name_of(const char* what, int thread, const std::string& name) {
    return {{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}};
}

}  // namespace

std::string trace_json(const std::vector<TraceSlice>& slices) {
    nlohmann::json events = nlohmann::json::array();
    events.push_back(name_of("process_name", 0, "rondo"));
    std::set<int> threads;
    for (const TraceSlice& slice : slices) threads.insert(slice.thread);
    for (const int thread : threads) {
        const std::string name = thread == 0 ? "inference" : "helper " + std::to_string(thread);
        events.push_back(name_of("thread_name", thread, name));
    }
    for (const TraceSlice& slice : slices) {
        nlohmann::json event = {{"ph", "X"},
                                {"name", slice.node_name},
                                {"cat", slice.node_type},
                                {"pid", 1},
                                {"tid", slice.thread},
                                {"ts", microseconds(slice.start)},
                                {"dur", microseconds(slice.duration)},
                                {"args", {{"kernel", slice.exec_type}, {"type", slice.node_type}}}};
        if (slice.part) event["args"]["part"] = *slice.part;
        events.push_back(std::move(event));
    }
    return json_text({{"traceEvents", events}, {"displayTimeUnit", "ns"}});
}

}  // namespace rondo::tool
