// What a person at a terminal sees and does while a benchmark runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace rondo::tool {

/// What the line of the standard error says besides times.
struct ProgressText {
    std::string before = "";          ///< such as "64 streams: "
    std::string unit = "inferences";  ///< of what is counted
};

/// While it lives, the first Ctrl-C or SIGTERM is noted instead of ending the program; a second one
/// ends it. On a terminal, a line of the standard error says how far the loop is, once a second.
class LoopWatch {
public:
    /// `seconds` and `iterations`: the loop's limits, 0 if there is none.
    LoopWatch(double seconds, std::size_t iterations, ProgressText text = {});
    ~LoopWatch();
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;

    /// Another loop begins, within the same limits.
    void restart(const ProgressText& text);
    /// Removes the line, so that others can be printed.
    void clear();
    /// Shows the line if it is time; false once one of the signals came.
    bool goes_on(std::size_t started);
    bool is_interrupted() const;
    /// The program's, as shells have it: 128 and the signal's number. 0 if none came.
    int exit_code() const;

private:
    using Clock = std::chrono::steady_clock;
    void show(std::size_t started, Clock::time_point now);

    double seconds_;
    std::size_t iterations_;
    ProgressText text_;
    bool shows_;
    bool has_shown_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace rondo::tool
