// Another process that takes all of a core, as on a machine that is shared.
#pragma once

#include <sys/types.h>

namespace rondo::test {

/// Computes from construction to destruction (and ends with its parent), at the usual priority.
class BusyProcess {
public:
    static constexpr int kAnyCore = -1;

    /// On one core, or wherever the scheduler puts it. Throws std::runtime_error where it can't be
    /// started or the core is not there.
    explicit BusyProcess(int core = kAnyCore);
    ~BusyProcess();
    BusyProcess(const BusyProcess&) = delete;
    BusyProcess& operator=(const BusyProcess&) = delete;

    pid_t id() const { return child_; }

private:
    pid_t child_;
};

}  // namespace rondo::test
