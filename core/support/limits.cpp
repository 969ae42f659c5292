#include "core/support/limits.hpp"

#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo {

Deadline::Deadline(std::chrono::milliseconds time) : time_(time) {
    const Clock::time_point now = Clock::now();
    const auto most =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
    if (time.count() > 0 && time < most) end_ = now + time;
}

void Deadline::check(FunctionRef<std::string()> place) const {
    if (end_ == Clock::time_point::max() || Clock::now() < end_) return;
    throw UnsupportedError(
        place() + ": compiling takes too long, in ms: " +
        limit_text(static_cast<std::uint64_t>(time_.count()), property::kMaxCompileTime));
}

}  // namespace rondo
