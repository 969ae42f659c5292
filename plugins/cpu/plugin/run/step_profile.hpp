// The time of each step in the last run.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "rondo/infer_request.hpp"

namespace rondo::cpu {

/// Sized once; runs with existing plans write it without allocating.
class StepProfile {
public:
    explicit StepProfile(std::shared_ptr<const PlannedProgram> program)
        : program_(std::move(program)), entries_(program_->program().steps.size()) {}

    struct Entry {
        StepState state = StepState::not_needed;
        bool ran = false;
        std::chrono::nanoseconds time{0};
        std::string detail;  ///< such as "hidden_split 2"
    };
    Entry& operator[](std::size_t step) { return entries_[step]; }

    /// Before a run.
    void clear() {
        for (Entry& entry : entries_) {
            entry.ran = false;
            entry.time = std::chrono::nanoseconds{0};
        }
    }

    std::vector<ProfilingInfo> rows() const;

private:
    std::shared_ptr<const PlannedProgram> program_;
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
        entry_->time = std::chrono::steady_clock::now() - start_;
        entry_->ran = true;
    }
    StepTimer(const StepTimer&) = delete;
    StepTimer& operator=(const StepTimer&) = delete;

private:
    StepProfile::Entry* entry_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace rondo::cpu
