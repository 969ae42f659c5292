#include "benchmark/loop_watch.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace rondo::tool {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr int kSignalBase = 128;  // of exit codes

volatile std::sig_atomic_t g_signal = 0;

void note(int signal) {
    g_signal = signal;
    for (const int each : kSignals) std::signal(each, SIG_DFL);
}

}  // namespace

LoopWatch::LoopWatch(double seconds, std::size_t iterations, ProgressText text)
    : seconds_(seconds),
      iterations_(iterations),
      text_(std::move(text)),
      shows_(::isatty(STDERR_FILENO) == 1) {
    g_signal = 0;
    for (const int each : kSignals) std::signal(each, note);
}

LoopWatch::~LoopWatch() {
    for (const int each : kSignals) std::signal(each, SIG_DFL);
    clear();
}

void LoopWatch::restart(const ProgressText& text) {
    clear();
    text_ = text;
    start_ = Clock::now();
    next_ = start_ + std::chrono::seconds(1);
}

void LoopWatch::clear() {
    if (has_shown_) std::fprintf(stderr, "\r\033[K");
    has_shown_ = false;
}

bool LoopWatch::is_interrupted() const { return g_signal != 0; }

int LoopWatch::exit_code() const { return is_interrupted() ? kSignalBase + g_signal : 0; }

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
    std::fprintf(stderr, "\r\033[K%s%.0f", text_.before.c_str(), elapsed);
    if (seconds_ > 0) std::fprintf(stderr, " of %.0f", seconds_);
    std::fprintf(stderr, " s, %zu", started);
    if (iterations_ > 0) std::fprintf(stderr, " of %zu", iterations_);
    std::fprintf(stderr, " %s, %.1f a second (Ctrl-C reports and ends)", text_.unit.c_str(),
                 static_cast<double>(started) / elapsed);
    std::fflush(stderr);
}

}  // namespace rondo::tool
