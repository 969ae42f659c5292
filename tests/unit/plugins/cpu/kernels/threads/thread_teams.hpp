// Teams for tests: real threads, and slices run in the most awkward order.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu::tests {

/// Every slice on a thread of its own.
class ThreadTeam final : public Team {
public:
    explicit ThreadTeam(int size) : size_(size) {}
    int size() const override { return size_; }
    void run(int slices, FunctionRef<void(int)> body) override {
        std::vector<std::thread> threads;
        for (int slice = 1; slice < slices; ++slice) {
            threads.emplace_back([&body, slice] { body(slice); });
        }
        if (slices > 0) body(0);
        for (std::thread& thread : threads) thread.join();
    }

private:
    int size_;
};

/// Two threads; counts what is said of late ones.
class PatientTeam final : public Team {
public:
    int size() const override { return 2; }
    void note_late(std::uint64_t lost) override {
        ++late;
        lost_ticks += lost;
    }
    void run(int slices, FunctionRef<void(int)> body) override { threads_.run(slices, body); }
    int late = 0;
    std::uint64_t lost_ticks = 0;

private:
    ThreadTeam threads_{2};
};

/// Claims to have threads, but runs all slices on one, the last first.
class BackwardTeam final : public Team {
public:
    explicit BackwardTeam(int size) : size_(size) {}
    int size() const override { return size_; }
    void run(int slices, FunctionRef<void(int)> body) override {
        for (int slice = slices - 1; slice >= 0; --slice) body(slice);
    }

private:
    int size_;
};

/// A worker that arrives when most is done, and one that never gets a turn before the end.
class LateTeam final : public Team {
public:
    int size() const override { return 3; }
    void run(int slices, FunctionRef<void(int)> body) override {
        std::thread late([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            body(1);
        });
        body(0);
        late.join();
        for (int slice = 2; slice < slices; ++slice) body(slice);
    }
};

}  // namespace rondo::cpu::tests
