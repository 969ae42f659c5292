#include "tests/support/idle_cpu.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

namespace rondo::test {
namespace {

// The clock of a thread's processor time, as from pthread_getcpuclockid(), which can't name threads
// that a library started. The clock of the whole process isn't exact enough: it knows the time of
// threads on other cores only up to their last timer tick, milliseconds ago.
clockid_t clock_of(pid_t thread) {
    return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | 6u);
}

double cpu_microseconds(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return 0;  // the thread has ended
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

double others_cpu_microseconds() {
    const auto own = static_cast<pid_t>(::syscall(SYS_gettid));
    double sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const auto thread = static_cast<pid_t>(std::stoi(entry.path().filename().string()));
        if (thread != own) sum += cpu_microseconds(clock_of(thread));
    }
    return sum;
}

}  // namespace

double idle_cpu_microseconds(std::chrono::microseconds span) {
    const double before = others_cpu_microseconds();
    std::this_thread::sleep_for(span);
    return std::max(0.0, others_cpu_microseconds() - before);
}

void wait_until_idle() {
    constexpr int kTries = 100;
    constexpr std::chrono::microseconds kLook{500};
    constexpr double kAsleep = 20;  // microseconds of kLook
    for (int i = 0; i < kTries; ++i) {
        if (idle_cpu_microseconds(kLook) < kAsleep) return;
    }
}

}  // namespace rondo::test
