// Another process that occupies a core, as on a shared machine.
#pragma once

#include <sys/types.h>

namespace rondo::test {

/// Computes from construction to destruction (or its parent's end).
class BusyProcess {
public:
    static constexpr int kAnyCore = -1;
    /// The least urgent that a process can be: `nice -n 19`.
    static constexpr int kLowPriority = 19;

    /// Runs on one core, or on any, at the usual priority (`nice` 0) or a lower one. Throws
    /// std::runtime_error if it can't be started or there is no such core.
    explicit BusyProcess(int core = kAnyCore, int nice = 0);
    ~BusyProcess();
    BusyProcess(const BusyProcess&) = delete;
    BusyProcess& operator=(const BusyProcess&) = delete;

    pid_t id() const { return child_; }

private:
    pid_t child_;
};

}  // namespace rondo::test
