#include "tests/support/busy_process.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace rondo::test {
namespace {

// Runs after fork() in a program with threads, so nothing here allocates or locks.
[[noreturn]] void compute() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const volatile bool on = true;
    while (on) {
    }
    ::_exit(0);
}

bool keep_on(pid_t process, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    return ::sched_setaffinity(process, sizeof(set), &set) == 0;
}

void end(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
}

}  // namespace

BusyProcess::BusyProcess(int core, int nice) : child_(::fork()) {
    if (child_ == 0) compute();
    if (child_ > 0 && (core == kAnyCore || keep_on(child_, core)) &&
        (nice == 0 || ::setpriority(PRIO_PROCESS, static_cast<id_t>(child_), nice) == 0)) {
        return;
    }
    if (child_ > 0) end(child_);
    throw std::runtime_error("can't start a busy process on core " + std::to_string(core));
}

BusyProcess::~BusyProcess() { end(child_); }

}  // namespace rondo::test
