// Another process that occupies a core, as on a shared machine.
#pragma once

#include <sys/types.h>

namespace rondo::test {

/// Computes from construction to destruction (or its parent's end), at the usual priority.
class BusyProcess {
public:
    static constexpr int kAnyCore = -1;

    /// Runs on one core, or on any. Throws std::runtime_error if it can't be started or there is no
    /// such core.
    explicit BusyProcess(int core = kAnyCore);
    ~BusyProcess();
    BusyProcess(const BusyProcess&) = delete;
    BusyProcess& operator=(const BusyProcess&) = delete;

    pid_t id() const { return child_; }

private:
    pid_t child_;
};

}  // namespace rondo::test
