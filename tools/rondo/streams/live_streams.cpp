#include "streams/live_streams.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "rondo/error.hpp"

namespace rondo::tool {

namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The second number of the file: the nanoseconds that the thread was ready and didn't run.
double seconds_waited(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/schedstat");
    double ran = 0;
    double waited = 0;
    file >> ran >> waited;
    return waited * 1e-9;
}

}  // namespace

void ThreadClocks::note_once() {
    thread_local bool is_noted = false;
    if (is_noted) return;
    is_noted = true;
    note();
}

void ThreadClocks::note() {
    clockid_t clock{};
    if (::pthread_getcpuclockid(::pthread_self(), &clock) != 0) return;
    const std::lock_guard lock(mutex_);
    const auto id = static_cast<pid_t>(::syscall(SYS_gettid));
    threads_.push_back({clock, id, seconds_of(clock), seconds_waited(id), Clock::now()});
}

ThreadShares ThreadClocks::shares() const {
    const std::lock_guard lock(mutex_);
    ThreadShares shares;
    const auto count = static_cast<double>(threads_.size());
    for (const Thread& thread : threads_) {
        const std::chrono::duration<double> lived = Clock::now() - thread.noted;
        const auto add = [&](double& share, double seconds) {
            if (lived.count() > 0) share += std::clamp(seconds / lived.count(), 0.0, 1.0) / count;
        };
        add(shares.running, seconds_of(thread.clock) - thread.ran);
        add(shares.waiting, seconds_waited(thread.id) - thread.waited);
    }
    return shares;
}

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// The driver sleeps at least so long, and then pushes all that is due.
constexpr std::chrono::microseconds kTick{100};
constexpr std::chrono::milliseconds kWaitPart{50};  // an interruption is seen after it

Clock::duration to_clock(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

// A stream, and what became of its steps; its callbacks come one after the other.
struct Live {
    Stream stream;
    Clock::time_point first_due;
    double rate = 1;
    std::atomic<std::size_t>* ended = nullptr;   ///< of all streams
    const std::atomic<bool>* is_over = nullptr;  ///< steps that end then don't count
    ThreadClocks* clocks = nullptr;
    std::size_t failed = 0;
    std::vector<double> latencies_ms = {};

    Clock::time_point due(std::size_t chunk) const {
        return first_due + to_clock(static_cast<double>(chunk) / rate);
    }

    void end(const StreamStep& step, std::size_t chunk) {
        clocks->note_once();
        if (!is_over->load(std::memory_order_relaxed)) note_end(step, chunk);
        ended->fetch_add(1, std::memory_order_release);
    }

private:
    void note_end(const StreamStep& step, std::size_t chunk) {
        const auto now = Clock::now();
        try {
            step.wait();
            latencies_ms[chunk] = Seconds(now - due(chunk)).count() * 1e3;
        } catch (const Error&) {
            ++failed;
        }
    }
};

class Simulation {
public:
    Simulation(CompiledModel& model, const LiveOptions& options)
        : options_(options), pool_(model.create_stream_pool(options.pool)) {
        pool_.warm_up(options.chunks.front());
        steps_ = std::max<std::size_t>(static_cast<std::size_t>(options.seconds * options.rate), 1);
        for (std::size_t i = 0; i < options.streams; ++i) {
            auto& live = lives_.emplace_back(std::make_unique<Live>());
            live->stream = pool_.open();
            live->rate = options.rate;
            live->ended = &ended_;
            live->is_over = &is_interrupted_;
            live->clocks = &clocks_;
            live->latencies_ms.assign(steps_, kNone);
        }
    }

    LiveResult run() {
        driver_.note();
        const auto start = Clock::now() + kTick;
        const auto count = static_cast<double>(lives_.size());
        for (std::size_t i = 0; i < lives_.size(); ++i) {
            const double phase = static_cast<double>(i) / count;
            lives_[i]->first_due = start + to_clock(phase / options_.rate);
        }
        push_all();
        while (ended_.load(std::memory_order_acquire) < pushed_) {
            goes_on();
            std::this_thread::sleep_for(kTick);
        }
        return result(Seconds(Clock::now() - start).count());
    }

private:
    static constexpr double kNone = -1;  // of a step without outputs

    bool goes_on() {
        if (is_interrupted_) return false;
        if (!options_.goes_on || options_.goes_on(pushed_)) return true;
        is_interrupted_ = true;
        for (const auto& live : lives_) live->stream.cancel();
        return false;
    }

    void push_all() {
        for (; rounds_ < steps_; ++rounds_) {
            for (const auto& live : lives_) {
                if (!wait_until(live->due(rounds_))) return;
                push(*live, rounds_);
            }
        }
    }

    // False if an interruption came first.
    bool wait_until(Clock::time_point due) {
        while (goes_on()) {
            const auto now = Clock::now();
            if (due <= now) return true;
            const auto end = std::max(due, now + kTick);
            std::this_thread::sleep_until(std::min(end, now + kWaitPart));
        }
        return false;
    }

    // The callback holds so little that it needs no memory of its own.
    void push(Live& live, std::size_t chunk) {
        const auto& inputs = options_.chunks[next_++ % options_.chunks.size()];
        try {
            live.stream.push(inputs,
                             [&live, chunk](const StreamStep& step) { live.end(step, chunk); });
            ++pushed_;
        } catch (const QueueFullError&) {
            ++rejected_;
        }
    }

    LiveResult result(double seconds) const {
        LiveResult result;
        result.streams = lives_.size();
        result.threads = clocks_.shares();
        result.driver = driver_.shares();
        std::vector<double> times;
        std::vector<DynamicStep> late;
        for (const auto& live : lives_) {
            result.failed += live->failed;
            for (std::size_t chunk = 0; chunk < steps_; ++chunk) {
                if (live->latencies_ms[chunk] == kNone) continue;
                ++result.steps;
                if (chunk < rounds_ / 10) continue;
                times.push_back(live->latencies_ms[chunk]);
                if (times.back() <= options_.bound_ms) continue;
                const double due = Seconds(live->due(chunk).time_since_epoch()).count() * 1e3;
                late.push_back({due, due + times.back()});
            }
        }
        const LateSpells spells = spells_of(std::move(late));
        result.late_spells = spells.count;
        result.longest_spell_ms = spells.longest_ms;
        result.rejected = rejected_;
        result.is_interrupted = is_interrupted_;
        result.p95 = summarize(times, 95).percentile;
        result.latency = summarize(std::move(times), 90);
        result.real_time_factor = static_cast<double>(result.steps) / options_.rate / seconds;
        const StreamPoolStats stats = pool_.stats();
        if (stats.batches > 0) {
            result.mean_batch =
                static_cast<double>(stats.steps) / static_cast<double>(stats.batches);
        }
        result.occupancy = stats.occupancy;
        result.why_not_batched = stats.why_not_batched;
        return result;
    }

    LiveOptions options_;
    std::vector<std::unique_ptr<Live>> lives_;
    std::atomic<std::size_t> ended_{0};
    std::size_t steps_ = 0;   // of a stream
    std::size_t rounds_ = 0;  // in which each stream got one
    std::size_t next_ = 0;
    std::size_t pushed_ = 0;
    std::size_t rejected_ = 0;
    std::atomic<bool> is_interrupted_{false};
    ThreadClocks clocks_;  // of the pool
    ThreadClocks driver_;
    StreamPool pool_;  // last: its threads use the members above
};

}  // namespace

LiveResult run_live(CompiledModel& model, const LiveOptions& options) {
    return Simulation(model, options).run();
}

std::size_t largest_number(std::size_t first, std::size_t most,
                           const std::function<bool(std::size_t)>& holds) {
    std::size_t good = 0;
    std::size_t bad = most + 1;
    for (std::size_t number = std::min(first, most); good < number && number < bad;) {
        if (!holds(number)) {
            bad = number;
            break;
        }
        good = number;
        number = std::min(2 * number, most);
    }
    while (bad - good > 1 && bad - good > good / 50) {
        const std::size_t middle = good + (bad - good) / 2;
        (holds(middle) ? good : bad) = middle;
    }
    return good;
}

LateSpells spells_of(std::vector<DynamicStep> steps) {
    std::sort(steps.begin(), steps.end(),
              [](const DynamicStep& a, const DynamicStep& b) { return a.due < b.due; });
    LateSpells spells;
    double begin = 0;
    double end = 0;
    for (const DynamicStep& step : steps) {
        if (spells.count == 0 || step.due > end) {
            ++spells.count;
            begin = step.due;
            end = step.end;
        }
        end = std::max(end, step.end);
        spells.longest_ms = std::max(spells.longest_ms, end - begin);
    }
    return spells;
}

}  // namespace rondo::tool
