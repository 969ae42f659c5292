// What a person at a terminal sees and does while a benchmark runs.
#pragma once

#include <chrono>
#include <cstddef>

namespace rondo::tool {

/// While it lives, the first Ctrl-C is noted instead of ending the program; a second one ends it.
/// On a terminal, a line of the standard error says how far the loop is, once a second.
class LoopWatch {
public:
    /// `seconds` and `iterations`: the loop's limits, 0 where there is none.
    LoopWatch(double seconds, std::size_t iterations);
    ~LoopWatch();
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;

    /// Shows the line if it is time; false once Ctrl-C was pressed.
    bool goes_on(std::size_t started);
    bool is_interrupted() const;

private:
    using Clock = std::chrono::steady_clock;
    void show(std::size_t started, Clock::time_point now);

    double seconds_;
    std::size_t iterations_;
    bool shows_;
    bool has_shown_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace rondo::tool
