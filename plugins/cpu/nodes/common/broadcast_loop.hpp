// The loops of an elementwise op of two operands that are broadcast to one shape.
#pragma once

#include <cstdint>
#include <vector>

#include "rondo/shape.hpp"

namespace rondo::cpu {

/// An innermost run of `count` elements; a step of 0 repeats one element, 1 walks on. The output is
/// always walked.
struct BroadcastRun {
    std::int64_t count = 1;
    std::int64_t a_step = 1;
    std::int64_t b_step = 1;
};

/// Settles once how the operands' axes fall together; for_each() only loops. Immutable.
class BroadcastLoop {
public:
    BroadcastLoop(const Shape& a, const Shape& b, const Shape& result);

    const BroadcastRun& run() const { return run_; }
    std::int64_t runs() const { return runs_; }

    /// Where run number `index` starts in each operand, in elements; in the result it is
    /// index * run().count.
    struct Start {
        std::int64_t a = 0;
        std::int64_t b = 0;
    };
    Start start(std::int64_t index) const;

private:
    struct Loop {
        std::int64_t count;
        std::int64_t a_step;
        std::int64_t b_step;
    };
    void add_axis(const Loop& axis);

    std::vector<Loop> loops_;  // outermost first
    BroadcastRun run_;
    std::int64_t runs_ = 1;
};

}  // namespace rondo::cpu
