// The time of each step in the last run, those of bodies summed over their iterations.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/run_trace.hpp"
#include "rondo/infer_request.hpp"

namespace rondo::cpu {

/// Sized once; runs with existing plans write it without allocating. The program must outlive it.
class StepProfile {
public:
    explicit StepProfile(const Program& program);

    struct Entry {
        StepState state = StepState::runs;
        bool ran = false;
        std::chrono::nanoseconds time{0};  ///< with the bodies'
        std::string detail;                ///< such as "hidden_split 2"
        std::vector<std::unique_ptr<StepProfile>> bodies;
        std::vector<StepProfile*> body_list = {};  ///< the same, for BodyProfiles
        RunTrace* trace = nullptr;                 ///< where its runs are noted, too
    };
    Entry& operator[](std::size_t step) { return entries_[step]; }

    /// Notes each run of a step, and of those of bodies, in `trace`, which must outlive this.
    void trace_to(RunTrace& trace);
    /// Before an inference.
    void clear();
    /// What became of the steps of this plan.
    void report(const Plan& plan);

    /// A row a step, then those of its bodies or of the ops that it was joined from. The time of a
    /// node with bodies is what their nodes leave: the sum of all rows is that of the inference.
    std::vector<ProfilingInfo> rows() const;
    /// The trace's events under the names of the rows.
    std::vector<TraceSlice> slices(const RunTrace& trace) const;

private:
    struct Row {
        ProfilingInfo info;
        const Entry* entry;  // null for an op that was joined with others
    };
    void add_rows(const std::string& place, std::vector<Row>& rows) const;
    std::chrono::nanoseconds time() const;

    const Program& program_;
    std::vector<Entry> entries_;
};

/// Adds the time from its construction to its destruction to an entry.
class StepTimer {
public:
    explicit StepTimer(StepProfile::Entry* entry) : entry_(entry) {
        if (entry_ == nullptr) return;
        if (entry_->trace != nullptr) outer_ = std::exchange(entry_->trace->running, entry_);
        start_ = std::chrono::steady_clock::now();
    }
    ~StepTimer() {
        if (entry_ == nullptr) return;
        const auto end = std::chrono::steady_clock::now();
        entry_->time += end - start_;
        entry_->ran = true;
        if (entry_->trace == nullptr) return;
        entry_->trace->add(entry_, RunTrace::kWhole, start_, end);
        entry_->trace->running = outer_;
    }
    StepTimer(const StepTimer&) = delete;
    StepTimer& operator=(const StepTimer&) = delete;

    /// For the step's bodies.
    BodyProfiles bodies() const {
        return entry_ == nullptr ? BodyProfiles() : BodyProfiles(entry_->body_list);
    }

private:
    StepProfile::Entry* entry_;
    const void* outer_ = nullptr;  // the step whose body this one lies in
    std::chrono::steady_clock::time_point start_;
};

}  // namespace rondo::cpu
