// Measures durations for messages.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace rondo {

/// Runs from its construction on.
class Stopwatch {
public:
    /// The time so far, such as "12.3 ms".
    std::string text() const {
        const std::chrono::duration<double, std::milli> time = Clock::now() - start_;
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.1f ms", time.count());
        return buffer;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace rondo
