// The time of each step in the last run, those of bodies summed over their iterations.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"
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
    };
    Entry& operator[](std::size_t step) { return entries_[step]; }

    /// Before an inference.
    void clear();
    /// What became of the steps of this plan.
    void report(const Plan& plan);

    /// A row a step, then those of its bodies or of the ops that it was joined from. The time of a
    /// node with bodies is what their nodes leave: the sum of all rows is that of the inference.
    std::vector<ProfilingInfo> rows() const;

private:
    void add_rows(const std::string& place, std::vector<ProfilingInfo>& rows) const;
    std::chrono::nanoseconds time() const;

    const Program& program_;
    std::vector<Entry> entries_;
};

/// Adds the time from its construction to its destruction to an entry.
class StepTimer {
public:
    explicit StepTimer(StepProfile::Entry* entry) : entry_(entry) {
        if (entry_ != nullptr) start_ = std::chrono::steady_clock::now();
    }
    ~StepTimer() {
        if (entry_ == nullptr) return;
        entry_->time += std::chrono::steady_clock::now() - start_;
        entry_->ran = true;
    }
    StepTimer(const StepTimer&) = delete;
    StepTimer& operator=(const StepTimer&) = delete;

    /// For the step's bodies.
    BodyProfiles bodies() const {
        return entry_ == nullptr ? BodyProfiles() : BodyProfiles(entry_->body_list);
    }

private:
    StepProfile::Entry* entry_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace rondo::cpu
