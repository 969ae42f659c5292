#include "benchmark/loop_watch.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace rondo::tool {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void note(int) {
    g_interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
}

}  // namespace

LoopWatch::LoopWatch(double seconds, std::size_t iterations)
    : seconds_(seconds), iterations_(iterations), shows_(::isatty(STDERR_FILENO) == 1) {
    g_interrupted = 0;
    std::signal(SIGINT, note);
}

LoopWatch::~LoopWatch() {
    std::signal(SIGINT, SIG_DFL);
    if (has_shown_) std::fprintf(stderr, "\r\033[K");  // removes the line
}

bool LoopWatch::is_interrupted() const { return g_interrupted != 0; }

bool LoopWatch::goes_on(std::size_t started) {
    if (shows_) {
        const auto now = Clock::now();
        if (now >= next_) show(started, now);
    }
    return !is_interrupted();
}

void LoopWatch::show(std::size_t started, Clock::time_point now) {
    next_ = now + std::chrono::seconds(1);
    has_shown_ = true;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "\r\033[K%.0f", elapsed);
    if (seconds_ > 0) std::fprintf(stderr, " of %.0f", seconds_);
    std::fprintf(stderr, " s, %zu", started);
    if (iterations_ > 0) std::fprintf(stderr, " of %zu", iterations_);
    std::fprintf(stderr, " inferences, %.1f a second (Ctrl-C reports and ends)",
                 static_cast<double>(started) / elapsed);
    std::fflush(stderr);
}

}  // namespace rondo::tool
