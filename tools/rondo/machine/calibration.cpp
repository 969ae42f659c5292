#include "machine/calibration.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <thread>

#include "machine/calibration_kernels.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

constexpr double kRunSeconds = 4e-3;  // long against starting together, short against the budget
constexpr int kLeastRuns = 5;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// What one thread does: `loops` rounds of a loop whose result must not be dropped.
using Work = std::function<float(std::int64_t loops)>;
using MakeWork = std::function<Work()>;

std::vector<int> allowed_cpus() {
    cpu_set_t set;
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof(set), &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    }
    return cpus;
}

void stay_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof(set), &set);  // the calling thread; a refusal costs accuracy alone
}

// Where threads wait for each other; it may be used again and again.
class Meeting {
public:
    explicit Meeting(int threads) : threads_(threads) {}

    void wait() {
        const int round = round_.load();
        if (waiting_.fetch_add(1) + 1 == threads_) {
            waiting_ = 0;
            round_.fetch_add(1);
            return;
        }
        while (round_.load() == round) std::this_thread::yield();
    }

private:
    const int threads_;
    std::atomic<int> waiting_{0};
    std::atomic<int> round_{0};
};

// A result that is looked at is computed.
void keep(float result) { [[maybe_unused]] volatile float sink = result; }

std::int64_t loops_for(const Work& work, double seconds) {
    keep(work(1));  // fills the caches
    for (std::int64_t loops = 1;; loops *= 4) {
        const double start = now();
        keep(work(loops));
        const double taken = now() - start;
        if (taken > seconds / 8) {
            return std::max<std::int64_t>(
                1, std::llround(static_cast<double>(loops) * seconds / taken));
        }
    }
}

// Runs the same work on all threads at once until the time is over, and counts loops a second.
class Race {
public:
    Race(int threads, double seconds)
        : threads_(threads), seconds_(seconds), meeting_(threads), spans_(threads) {}

    /// Loops a second of all threads together, a number each run. Throws Error if the system
    /// refuses threads or memory.
    std::vector<double> run(const MakeWork& make_work) {
        const std::vector<int> cpus = allowed_cpus();
        std::vector<std::thread> team;
        try {
            for (int index = 0; index < threads_; ++index) {
                team.emplace_back([&, index] {
                    if (static_cast<int>(cpus.size()) >= threads_) stay_on(cpus[index]);
                    take_part(index, make_work);
                });
            }
        } catch (const std::exception&) {
            has_failed_ = true;
        }
        state_ = has_failed_ ? State::incomplete : State::complete;
        state_.notify_all();
        for (std::thread& thread : team) thread.join();
        if (has_failed_) throw Error("the system refuses threads or memory to measure its limits");
        return rates_;
    }

private:
    struct Span {
        double start = 0, end = 0;
    };

    enum class State : std::uint8_t { starting, complete, incomplete };  // of the team

    void take_part(int index, const MakeWork& make_work) {
        Work work;
        try {
            work = make_work();
        } catch (const std::exception&) {
            has_failed_ = true;
        }
        state_.wait(State::starting);
        if (state_ == State::incomplete) return;
        meeting_.wait();
        if (!has_failed_) run_until_the_end(index, work);
    }

    void run_until_the_end(int index, const Work& work) {
        if (index == 0) loops_ = loops_for(work, kRunSeconds);
        meeting_.wait();
        if (index == 0) deadline_ = now() + seconds_;
        while (!done_) {
            meeting_.wait();
            spans_[index].start = now();
            keep(work(loops_));
            spans_[index].end = now();
            meeting_.wait();
            if (index == 0) note_run();
            meeting_.wait();
        }
    }

    void note_run() {
        Span all = spans_[0];
        for (const Span& span : spans_) {
            all.start = std::min(all.start, span.start);
            all.end = std::max(all.end, span.end);
        }
        rates_.push_back(static_cast<double>(loops_ * threads_) / (all.end - all.start));
        done_ = now() > deadline_ && rates_.size() >= kLeastRuns;
    }

    const int threads_;
    const double seconds_;
    Meeting meeting_;
    std::atomic<State> state_{State::starting};
    std::atomic<bool> has_failed_{false};
    std::vector<Span> spans_;
    std::vector<double> rates_;
    std::int64_t loops_ = 0;
    double deadline_ = 0;
    bool done_ = false;  // written between two meetings
};

Rate rate_of(std::vector<double> loops_per_second, double units_per_loop) {
    std::sort(loops_per_second.begin(), loops_per_second.end());
    const double scale = units_per_loop * 1e-9;
    return {loops_per_second.back() * scale, loops_per_second[loops_per_second.size() / 2] * scale};
}

struct Level {
    const char* name;
    std::int64_t bytes_each;
};

// Half a cache, so that what else lives in it leaves room; of a shared one a share.
std::vector<Level> levels_of(const CacheSizes& caches, int threads, std::int64_t memory_bytes) {
    std::vector<Level> levels{{"l1", caches.l1 / 2}, {"l2", caches.l2 / 2}};
    const std::int64_t l3_each = std::min(caches.l3 / 2 / threads, 4 * caches.l2);
    if (l3_each > caches.l2) levels.push_back({"l3", l3_each});
    // A shared cache of hundreds of megabytes is not all ours, and filling memory takes time.
    constexpr std::int64_t kLeast = std::int64_t{256} << 20, kMost = std::int64_t{1} << 30;
    const std::int64_t beyond =
        memory_bytes > 0 ? memory_bytes : std::clamp(2 * caches.l3, kLeast, kMost);
    levels.push_back({"memory", beyond / threads});
    return levels;
}

Work reader(const CalibrationKernels& kernels, std::int64_t bytes) {
    const std::int64_t count = std::max<std::int64_t>(1, bytes / 4 / kReadBlock) * kReadBlock;
    // Written by the thread that reads: untouched pages would all be the one page of zeros.
    // On a cache line: vectors that straddle two would halve what is read.
    constexpr std::size_t kLine = 64;
    const std::shared_ptr<float> data(
        static_cast<float*>(std::aligned_alloc(kLine, static_cast<std::size_t>(count) * 4)),
        std::free);
    if (data == nullptr) throw std::bad_alloc();
    std::fill_n(data.get(), count, 1.0f);
    return [kernels, data, count](std::int64_t loops) {
        return kernels.read(data.get(), count, loops);
    };
}

std::int64_t known_or(long asked, std::int64_t otherwise) { return asked > 0 ? asked : otherwise; }

}  // namespace

CacheSizes cache_sizes() {
    const CacheSizes usual;
    return {known_or(::sysconf(_SC_LEVEL1_DCACHE_SIZE), usual.l1),
            known_or(::sysconf(_SC_LEVEL2_CACHE_SIZE), usual.l2),
            known_or(::sysconf(_SC_LEVEL3_CACHE_SIZE), usual.l3)};
}

Calibration calibrate(VectorSet set, const CacheSizes& caches, int threads,
                      const CalibrationOptions& options) {
    const CalibrationKernels kernels = calibration_kernels(set);
    Calibration result;
    result.threads = threads;
    const auto flops =
        Race(threads, options.seconds_each).run([&]() -> Work { return kernels.multiply_add; });
    result.gigaflops = rate_of(flops, kernels.flops_per_loop);
    for (const Level& level : levels_of(caches, threads, options.memory_bytes)) {
        if (!options.level.empty() && options.level != level.name) continue;
        const std::int64_t bytes =
            std::max<std::int64_t>(1, level.bytes_each / 4 / kReadBlock) * kReadBlock * 4;
        const auto reads =
            Race(threads, options.seconds_each).run([&] { return reader(kernels, bytes); });
        result.reads.push_back({level.name, bytes, rate_of(reads, static_cast<double>(bytes))});
    }
    return result;
}

}  // namespace rondo::tool
