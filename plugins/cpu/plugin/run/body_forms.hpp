// Decides which extents of a body's inputs its plans leave open.
#pragma once

#include <cstddef>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// A body first gets plans for the exact shapes that it meets. Where it meets more than a few new
/// ones before an earlier one comes back, as with a list that grows in a loop, or many altogether,
/// the extents that differ stay open in all further plans, and one plan serves all of them. For one
/// run at a time.
class BodyForms {
public:
    /// Before each run.
    void start() {
        if (!missed_) segments_.in_a_row = 0;
        missed_ = false;
    }
    /// A plan serves a run that didn't serve the one before it.
    void return_to_plan() { inputs_.in_a_row = 0; }
    /// Opens in the key of a run that no plan fits what has turned out to vary.
    void open(PlanKey& key);
    /// No plan fitted a later segment, whose shapes depend on what was computed.
    void note_segment() { count(segments_); }
    /// The extents can't stay open: plans are exact from now on.
    void close() { refused_ = true; }

    /// So many exact plans are made before one is returned to, and altogether.
    static constexpr std::size_t kInARow = 2;
    static constexpr std::size_t kAltogether = 48;
    /// So many later segments are made in runs that follow each other.
    static constexpr std::size_t kSegmentsInARow = 8;

private:
    struct Misses {
        std::size_t in_a_row = 0;
        std::size_t altogether = 0;
    };
    void count(Misses& misses);
    void widen(const PlanKey& key);

    Misses inputs_;
    Misses segments_;
    std::vector<Shape> last_;          // an input each, of the last run that no plan fitted
    std::vector<PartialShape> forms_;  // an input each, once some were widened
    bool missed_ = false;              // in this run
    bool floats_ = false;
    bool refused_ = false;
};

}  // namespace rondo::cpu
