#include "plugins/cpu/plugin/run/run_trace.hpp"

#include <algorithm>

namespace rondo::cpu {
namespace {

constexpr std::size_t kFirstRoom = 4096;
constexpr std::size_t kMostRoom = std::size_t{1} << 20;

}  // namespace

RunTrace::RunTrace() : events_(kFirstRoom) {}

void RunTrace::restart() {
    const std::size_t wanted = std::min(count_.load(std::memory_order_relaxed), kMostRoom);
    if (wanted > events_.size()) events_.resize(std::min(2 * wanted, kMostRoom));
    count_.store(0, std::memory_order_relaxed);
    running = nullptr;
    thread_ = std::this_thread::get_id();
    start_ = Clock::now();
}

void RunTrace::add(const void* step, int part, Clock::time_point begin, Clock::time_point end) {
    const std::size_t place = count_.fetch_add(1, std::memory_order_relaxed);
    if (place >= events_.size()) return;
    events_[place] = {step, part, std::this_thread::get_id(), begin, end};
}

std::vector<RunTrace::Event> RunTrace::events() const {
    const std::size_t count = std::min(count_.load(std::memory_order_relaxed), events_.size());
    std::vector<Event> events(events_.begin(),
                              events_.begin() + static_cast<std::ptrdiff_t>(count));
    // A step is noted when it ends, after its parts; of two events that begin together, the longer
    // one holds the other.
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return events;
}

void TracingTeam::run(int slices, FunctionRef<void(int)> body) {
    const void* const step = trace_.running;
    team_.run(slices, [&](int slice) {
        const auto begin = RunTrace::Clock::now();
        body(slice);
        trace_.add(step, slice, begin, RunTrace::Clock::now());
    });
}

}  // namespace rondo::cpu
