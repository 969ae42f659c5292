// The time by which a model must be compiled.
#pragma once

#include <chrono>
#include <string>

#include "core/support/function_ref.hpp"

namespace rondo {

/// It is checked between two pieces of work, none of which it interrupts.
class Deadline {
public:
    /// There is none.
    Deadline() = default;
    /// So long from now; 0: there is none.
    explicit Deadline(std::chrono::milliseconds time);

    /// Throws UnsupportedError behind the deadline; `place` says what would come next.
    void check(FunctionRef<std::string()> place) const;

private:
    using Clock = std::chrono::steady_clock;

    std::chrono::milliseconds time_{0};
    Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace rondo
