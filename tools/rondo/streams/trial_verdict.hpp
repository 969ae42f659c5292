// What a trial of live streams showed, and whether it is worth another one.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "streams/live_streams.hpp"

namespace rondo::tool {

enum class Verdict {
    in_time,
    saturated,  ///< late, and the pool's threads ran nearly all the time
    stalled,    ///< late now and then, while the core was idle or ran something else
    slow,       ///< late often, while the core was idle: the steps themselves take so long
    failed,     ///< steps ended with an error
    interrupted
};

/// The verdict on a trial whose 99th percentile must stay within the bound.
Verdict verdict_of(const LiveResult& result, double bound_ms);

/// "in time", "saturated" and so on.
std::string to_string(Verdict verdict);

/// Repeats a trial until one is in time, or another would show the same: one that stalled is tried
/// five times, a slow one twice, all others once. Returns whether one was in time.
bool holds_in_any(const std::function<Verdict()>& trial);

/// Why no more streams are served, in a sentence: of the trial with the lowest p99 of those with
/// the smallest number of streams that failed.
std::string bound_text(const LiveResult& result, double bound_ms);

}  // namespace rondo::tool
