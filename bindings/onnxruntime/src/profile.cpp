#include "bindings/onnxruntime/src/profile.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "bindings/onnxruntime/src/names.hpp"

namespace rondo::ort {
namespace {

constexpr std::size_t kMostRows = 1'000'000;

std::int64_t microseconds(std::chrono::nanoseconds time) {
    return std::chrono::floor<std::chrono::microseconds>(time).count();
}

class Profiler : public OrtEpProfilerImpl {
public:
    Profiler(const Host& host, std::shared_ptr<Profile> profile)
        : host_(host), profile_(std::move(profile)) {
        ort_version_supported = kProfilerVersion;
        Release = [](OrtEpProfilerImpl* self) { delete &of(self); };
        StartProfiling = [](OrtEpProfilerImpl* self, std::int64_t elapsed) {
            of(self).profile_->start(std::chrono::nanoseconds(elapsed));
            return static_cast<OrtStatus*>(nullptr);
        };
        EndProfiling = [](OrtEpProfilerImpl* self, OrtProfilingEventsContainer* container) {
            auto& profiler = of(self);
            return profiler.host_.guard(
                [&] { profiler.profile_->stop(profiler.host_, container); });
        };
    }

private:
    static Profiler& of(OrtEpProfilerImpl* profiler) { return *static_cast<Profiler*>(profiler); }

    const Host& host_;
    const std::shared_ptr<Profile> profile_;
};

}  // namespace

void Profile::start(std::chrono::nanoseconds elapsed) {
    const std::lock_guard lock(mutex_);
    zero_ = Clock::now() - elapsed;
    is_on_ = true;
}

void Profile::add(const std::vector<TraceSlice>& slices, Clock::time_point end) {
    std::chrono::nanoseconds length{0};
    for (const auto& slice : slices) length = std::max(length, slice.start + slice.duration);
    const int thread = static_cast<int>(::gettid());
    const std::lock_guard lock(mutex_);
    const auto begin = end - length - zero_;
    for (const auto& slice : slices) {
        if (slice.part || slice.thread != 0 || rows_.size() >= kMostRows) continue;
        rows_.push_back({slice, begin + slice.start, thread});
    }
}

void Profile::stop(const Host& host, OrtProfilingEventsContainer* container) {
    std::vector<Row> rows;
    {
        const std::lock_guard lock(mutex_);
        is_on_ = false;
        rows.swap(rows_);
    }
    for (const auto& row : rows) give(host, row, container);
}

void Profile::give(const Host& host, const Row& row, OrtProfilingEventsContainer* container) {
    const auto duration = std::to_string(row.slice.duration.count());
    const char* keys[] = {"op_name", "kernel", "provider", "duration_ns"};
    const char* values[] = {row.slice.node_type.c_str(), row.slice.exec_type.c_str(), kProviderName,
                            duration.c_str()};
    const auto& api = host.profiling();
    OrtProfilingEvent* event = nullptr;
    host.check(api.CreateProfilingEvent(
        OrtProfilingEventCategory_KERNEL, static_cast<std::int32_t>(::getpid()), row.thread,
        row.slice.node_name.c_str(), microseconds(row.begin), microseconds(row.slice.duration),
        keys, values, std::size(keys), &event));
    auto* failed = api.ProfilingEventsContainer_AddEvents(container, &event, 1);
    api.ReleaseProfilingEvent(event);
    host.check(failed);
}

OrtEpProfilerImpl* make_profiler(const Host& host, std::shared_ptr<Profile> profile) {
    return std::make_unique<Profiler>(host, std::move(profile)).release();
}

}  // namespace rondo::ort
