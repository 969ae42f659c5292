// What each thread did during an inference: when it began and ended which step, or part of one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Events of one inference at a time. Threads add them without locks and without allocating; those
/// that find no room are left out, and the next inference has room for as many.
class RunTrace {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr int kWhole = -1;

    struct Event {
        const void* step = nullptr;  ///< whose run it was
        int part = kWhole;           ///< of a step that was split
        std::thread::id thread;
        Clock::time_point begin;
        Clock::time_point end;
    };

    RunTrace();

    /// Before an inference, on its thread.
    void restart();
    void add(const void* step, int part, Clock::time_point begin, Clock::time_point end);
    /// Once all threads are done: the events in the order in which they began.
    std::vector<Event> events() const;
    Clock::time_point start() const { return start_; }
    std::thread::id thread() const { return thread_; }

    /// The step that runs on the inference's thread; TracingTeam's parts are its.
    const void* running = nullptr;

private:
    std::vector<Event> events_;
    std::atomic<std::size_t> count_ = 0;
    Clock::time_point start_;
    std::thread::id thread_;
};

/// Another team, each part of whose work is noted.
class TracingTeam final : public Team {
public:
    TracingTeam(Team& team, RunTrace& trace) : team_(team), trace_(trace) {}

    int size() const override { return team_.size(); }
    TeamState state() override { return team_.state(); }
    std::uint64_t late_credit() const override { return team_.late_credit(); }
    void note_late(std::uint64_t lost) override { team_.note_late(lost); }
    void run(int slices, FunctionRef<void(int)> body) override;

private:
    Team& team_;
    RunTrace& trace_;
};

}  // namespace rondo::cpu
