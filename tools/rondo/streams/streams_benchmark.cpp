#include "streams/streams_benchmark.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "benchmark/benchmark_report.hpp"
#include "benchmark/loop_watch.hpp"
#include "files.hpp"
#include "rondo/error.hpp"
#include "streams/live_streams.hpp"
#include "streams/streams_plot.hpp"
#include "texts.hpp"

namespace rondo::tool {

namespace {

constexpr std::size_t kMostStreams = 1000000;
constexpr std::size_t kFirstStreams = 16;
constexpr double kDefaultSeconds = 5;

}  // namespace

std::size_t wanted_streams(const std::string& text) {
    if (text == "max") return 0;
    std::size_t end = 0;
    unsigned long number = 0;
    try {
        number = std::stoul(text, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    const bool is_number = end == text.size() && !text.empty() && text[0] != '-';
    if (is_number && number >= 1 && number <= kMostStreams) return number;
    throw ModelError("'" + text + "' is neither 'max' nor a whole number from 1 to " +
                     std::to_string(kMostStreams));
}

namespace {

LiveOptions live_options(const CompiledModel& model, const std::vector<InputSet>& inputs,
                         const BenchmarkOptions& options) {
    LiveOptions live;
    live.rate = options.live.rate;
    live.seconds = options.seconds.value_or(kDefaultSeconds);
    live.bound_ms = options.live.bound_ms;
    live.pool.max_batch = options.live.max_batch;
    live.pool.max_delay = std::chrono::microseconds(options.live.max_delay_us);
    for (const InputSet& set : inputs) {
        auto& chunk = live.chunks.emplace_back();
        for (const auto& port : model.inputs()) chunk.push_back(set.at(port.any_name()));
    }
    return live;
}

// Above the row of the first trial.
void print_head(const LiveResult& first) {
    if (!first.why_not_batched.empty()) {
        std::cout << "[ INFO ] Steps run one by one: " << first.why_not_batched << std::endl;
    }
    std::printf("%9s %9s %9s %9s %9s %9s %9s %10s %7s %6s %7s %7s\n", "streams", "average", "p50",
                "p90", "p95", "p99", "max", "real time", "batch", "busy", "running", "waiting");
}

void print_row(const LiveResult& r, const BenchmarkOptions& options) {
    std::printf("%9zu %6.2f ms %6.2f ms %6.2f ms %6.2f ms %6.2f ms %6.1f ms %8.1f x %7.1f",
                r.streams, r.latency.average, r.latency.median, r.latency.percentile, r.p95,
                r.latency.p99, r.latency.max, r.real_time_factor, r.mean_batch);
    std::printf(" %4.0f %% %5.0f %% %5.0f %%", 100 * r.occupancy, 100 * r.threads.running,
                100 * r.threads.waiting);
    if (r.rejected > 0) std::printf("  %zu steps rejected", r.rejected);
    if (r.failed > 0) std::printf("  %zu steps failed", r.failed);
    const Verdict verdict = verdict_of(r, options.live.bound_ms);
    const bool is_late = verdict != Verdict::in_time && verdict != Verdict::interrupted;
    if (is_late) std::printf("  late");
    if (verdict != Verdict::in_time) std::printf("  %s", verdict_text(verdict).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

// The trial with the lowest p99 among those with the smallest number of streams that failed; null
// if none failed.
const LiveResult* bounding(const std::vector<LiveResult>& results,
                           const BenchmarkOptions& options) {
    std::set<std::size_t> in_time;
    for (const LiveResult& r : results) {
        if (verdict_of(r, options.live.bound_ms) == Verdict::in_time) in_time.insert(r.streams);
    }
    const LiveResult* bound = nullptr;
    for (const LiveResult& r : results) {
        if (in_time.count(r.streams) != 0) continue;
        const auto order = [](const LiveResult& of) {
            return std::pair(of.streams, of.latency.p99);
        };
        if (bound == nullptr || order(r) < order(*bound)) bound = &r;
    }
    return bound;
}

nlohmann::json to_json(const std::vector<LiveResult>& results, std::size_t largest,
                       const BenchmarkOptions& options) {
    nlohmann::json report;
    report["configuration"] = {{"model", options.model},
                               {"rate", options.live.rate},
                               {"latency_bound_ms", options.live.bound_ms},
                               {"max_batch", options.live.max_batch},
                               {"max_delay_us", options.live.max_delay_us}};
    for (const LiveResult& r : results) {
        const Verdict verdict = verdict_of(r, options.live.bound_ms);
        report["trials"].push_back({{"streams", r.streams},
                                    {"latency_avg_ms", r.latency.average},
                                    {"latency_p50_ms", r.latency.median},
                                    {"latency_p90_ms", r.latency.percentile},
                                    {"latency_p95_ms", r.p95},
                                    {"latency_p99_ms", r.latency.p99},
                                    {"latency_max_ms", r.latency.max},
                                    {"steps", r.steps},
                                    {"rejected", r.rejected},
                                    {"failed", r.failed},
                                    {"real_time_factor", r.real_time_factor},
                                    {"mean_batch", r.mean_batch},
                                    {"occupancy", r.occupancy},
                                    {"running", r.threads.running},
                                    {"waiting", r.threads.waiting},
                                    {"driver_waiting", r.driver.waiting},
                                    {"late_spells", r.late_spells},
                                    {"longest_late_spell_ms", r.longest_spell_ms},
                                    {"interrupted", r.is_interrupted},
                                    {"verdict", verdict_text(verdict)},
                                    {"in_time", verdict == Verdict::in_time}});
    }
    if (largest > 0) report["largest_number_of_streams"] = largest;
    const LiveResult* const bound = bounding(results, options);
    if (bound != nullptr) report["bounded_by"] = bound_text(*bound, options.live.bound_ms);
    return report;
}

void write_json(const std::vector<LiveResult>& results, std::size_t largest,
                const BenchmarkOptions& options) {
    const std::string path = report_paths(options).front();
    write_file(path, {json_text(to_json(results, largest, options)), "\n"});
    std::cout << "[ INFO ] Wrote " << path << std::endl;
}

void write_plot(std::vector<LiveResult> results, const BenchmarkOptions& options) {
    std::erase_if(results, [](const LiveResult& result) { return result.latency.count == 0; });
    if (results.empty()) {
        std::cout << "[ INFO ] No step ended, so there is nothing to plot" << std::endl;
        return;
    }
    const std::string name = std::filesystem::path(options.model).filename().string();
    const std::string title =
        name + formatted(": live streams of %g chunks a second", options.live.rate);
    write_file(options.live.plot, {plot_of(title, results, options.live.bound_ms)});
    std::cout << "[ INFO ] Wrote " << options.live.plot << std::endl;
}

void write_reports(const std::vector<LiveResult>& results, std::size_t largest,
                   const BenchmarkOptions& options) {
    std::vector<std::function<void()>> writers;
    if (options.json_stats) writers.emplace_back([&] { write_json(results, largest, options); });
    if (!options.live.plot.empty()) writers.emplace_back([&] { write_plot(results, options); });
    call_each(writers);
}

// The trials of one benchmark.
class Trials {
public:
    Trials(CompiledModel& model, LiveOptions live, const BenchmarkOptions& options)
        : model_(model), live_(std::move(live)), options_(options), watch_(live_.seconds, 0) {
        live_.goes_on = [this](std::size_t pushed) { return watch_.goes_on(pushed); };
    }

    /// Whether so many streams are served in time, in the best of the trials that it takes.
    bool holds(std::size_t streams) {
        return holds_in_any([&] { return run(streams); });
    }

    /// One trial; none after an interruption.
    Verdict run(std::size_t streams) {
        if (watch_.is_interrupted()) return Verdict::interrupted;
        live_.streams = streams;
        watch_.restart({std::to_string(streams) + " streams: ", "steps"});
        results_.push_back(run_live(model_, live_));
        watch_.clear();
        if (results_.size() == 1) print_head(results_.front());
        print_row(results_.back(), options_);
        return verdict_of(results_.back(), options_.live.bound_ms);
    }

    const std::vector<LiveResult>& results() const { return results_; }
    int exit_code() const { return watch_.exit_code(); }

private:
    CompiledModel& model_;
    LiveOptions live_;
    const BenchmarkOptions& options_;
    LoopWatch watch_;
    std::vector<LiveResult> results_;
};

}  // namespace

int benchmark_streams(CompiledModel& model, const std::vector<InputSet>& inputs,
                      const BenchmarkOptions& options) {
    const std::size_t wanted = wanted_streams(options.live.streams);
    Trials trials(model, live_options(model, inputs, options), options);
    std::size_t largest = 0;
    if (wanted > 0) {
        trials.run(wanted);
    } else {
        largest = largest_number(kFirstStreams, kMostStreams,
                                 [&](std::size_t streams) { return trials.holds(streams); });
    }
    if (wanted == 0) {
        std::printf("Largest number of streams with a p99 within %g ms%s: %zu\n",
                    options.live.bound_ms,
                    trials.exit_code() == 0 ? "" : ", until it was interrupted", largest);
        const LiveResult* const bound = bounding(trials.results(), options);
        if (bound != nullptr) {
            std::printf("%s\n", bound_text(*bound, options.live.bound_ms).c_str());
        }
        std::fflush(stdout);
    }
    write_reports(trials.results(), largest, options);
    return trials.exit_code();
}

namespace {

// A thread that always has work runs nearly all the time, unless others run on its core.
constexpr double kSaturated = 0.85;
// A thread that waits for its core so long makes 1 % of the steps late.
constexpr double kMuchWaiting = 0.03;

double waiting_of(const LiveResult& result) {
    return std::max(result.threads.waiting, result.driver.waiting);
}

int tries_of(Verdict verdict) {
    if (verdict == Verdict::stalled) return 5;
    return verdict == Verdict::slow ? 2 : 1;
}

int percent(double share) { return static_cast<int>(100 * share + 0.5); }

}  // namespace

Verdict verdict_of(const LiveResult& result, double bound_ms) {
    if (result.is_interrupted) return Verdict::interrupted;
    if (result.failed > 0) return Verdict::failed;
    if (result.rejected == 0 && result.latency.p99 <= bound_ms) return Verdict::in_time;
    if (result.threads.running >= kSaturated) return Verdict::saturated;
    const bool others_ran = waiting_of(result) >= kMuchWaiting ||
                            result.threads.running < kSaturated * result.occupancy;
    return others_ran || result.p95 <= bound_ms ? Verdict::stalled : Verdict::slow;
}

std::string verdict_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::in_time: return "in time";
        case Verdict::saturated: return "saturated";
        case Verdict::stalled: return "stalled";
        case Verdict::slow: return "slow";
        case Verdict::failed: return "failed";
        case Verdict::interrupted: break;
    }
    return "interrupted";
}

bool holds_in_any(const std::function<Verdict()>& trial) {
    for (int tried = 1;; ++tried) {
        const Verdict verdict = trial();
        if (verdict == Verdict::in_time) return true;
        if (tried >= tries_of(verdict)) return false;
    }
}

std::string bound_text(const LiveResult& r, double bound_ms) {
    const Verdict verdict = verdict_of(r, bound_ms);
    const std::string with = "With " + counted(r.streams, "stream") + " ";
    switch (verdict) {
        case Verdict::saturated:
            return with + formatted(
                              "the core is the bound: the pool's threads ran %d %% of the "
                              "time, %d %% in inferences",
                              percent(r.threads.running), percent(r.occupancy));
        case Verdict::stalled:
            return with +
                   formatted(
                       "stalls of the machine are the bound: p50 was %.2f ms and p95 "
                       "%.2f ms, but %zu times steps were late, for up to %.0f ms, "
                       "while the pool's threads ran %d %% of the time and waited for a core "
                       "%d %%; where nothing else runs there may be more streams",
                       r.latency.median, r.p95, r.late_spells, r.longest_spell_ms,
                       percent(r.threads.running), percent(waiting_of(r)));
        case Verdict::slow:
            return with + formatted(
                              "the time of a step is the bound: p50 was %.2f ms and p95 %.2f "
                              "ms, while the pool's threads ran %d %% of the time",
                              r.latency.median, r.p95, percent(r.threads.running));
        case Verdict::failed: return with + formatted("%zu steps failed", r.failed);
        case Verdict::interrupted: return with + "it was interrupted";
        case Verdict::in_time: break;
    }
    return with + "all is in time: no more were tried";
}

}  // namespace rondo::tool
