#include "streams/trial_verdict.hpp"

#include <algorithm>
#include <cstdio>

namespace rondo::tool {
namespace {

// A thread that always has work runs nearly all the time, unless others run on its core.
constexpr double kSaturated = 0.85;
// A thread that waits for its core so long makes 1 % of the steps late.
constexpr double kMuchWaiting = 0.03;

double waiting_of(const LiveResult& result) {
    return std::max(result.threads.waiting, result.driver.waiting);
}

int tries_of(Verdict verdict) {
    if (verdict == Verdict::stalled) return 5;
    return verdict == Verdict::slow ? 2 : 1;
}

int percent(double share) { return static_cast<int>(100 * share + 0.5); }

template <typename... Values>
std::string formatted(const char* format, Values... values) {
    char text[320];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

}  // namespace

Verdict verdict_of(const LiveResult& result, double bound_ms) {
    if (result.is_interrupted) return Verdict::interrupted;
    if (result.failed > 0) return Verdict::failed;
    if (result.rejected == 0 && result.latency.p99 <= bound_ms) return Verdict::in_time;
    if (result.threads.running >= kSaturated) return Verdict::saturated;
    const bool others_ran = waiting_of(result) >= kMuchWaiting ||
                            result.threads.running < kSaturated * result.occupancy;
    return others_ran || result.p95 <= bound_ms ? Verdict::stalled : Verdict::slow;
}

std::string to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::in_time: return "in time";
        case Verdict::saturated: return "saturated";
        case Verdict::stalled: return "stalled";
        case Verdict::slow: return "slow";
        case Verdict::failed: return "failed";
        case Verdict::interrupted: break;
    }
    return "interrupted";
}

bool holds_in_any(const std::function<Verdict()>& trial) {
    for (int tried = 1;; ++tried) {
        const Verdict verdict = trial();
        if (verdict == Verdict::in_time) return true;
        if (tried >= tries_of(verdict)) return false;
    }
}

std::string bound_text(const LiveResult& r, double bound_ms) {
    const Verdict verdict = verdict_of(r, bound_ms);
    const std::string with = "With " + counted(r.streams, "stream") + " ";
    switch (verdict) {
        case Verdict::saturated:
            return with + formatted(
                              "the core is the bound: the pool's threads ran %d %% of the "
                              "time, %d %% in inferences",
                              percent(r.threads.running), percent(r.occupancy));
        case Verdict::stalled:
            return with +
                   formatted(
                       "stalls of the machine are the bound: p50 was %.2f ms and p95 "
                       "%.2f ms, but %zu times steps were late, for up to %.0f ms, "
                       "while the pool's threads ran %d %% of the time and waited for a core "
                       "%d %%; where nothing else runs there may be more streams",
                       r.latency.median, r.p95, r.late_spells, r.longest_spell_ms,
                       percent(r.threads.running), percent(waiting_of(r)));
        case Verdict::slow:
            return with + formatted(
                              "the time of a step is the bound: p50 was %.2f ms and p95 %.2f "
                              "ms, while the pool's threads ran %d %% of the time",
                              r.latency.median, r.p95, percent(r.threads.running));
        case Verdict::failed: return with + formatted("%zu steps failed", r.failed);
        case Verdict::interrupted: return with + "it was interrupted";
        case Verdict::in_time: break;
    }
    return with + "all is in time: no more were tried";
}

}  // namespace rondo::tool
