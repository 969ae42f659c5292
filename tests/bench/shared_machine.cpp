// rondo_shared_machine: two threads against one beside busy processes, and what idle teams use.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/bench/shared_runs.hpp"
#include "tests/support/busy_process.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr const char* kAbout =
    "Runs LSTM layers on one thread and on two, in turns, on an otherwise quiet machine, beside\n"
    "processes of the lowest priority on every core, and beside one of equal priority; then the\n"
    "processor time that idle threads use in the 100 ms after inferences. Two threads should\n"
    "never be more than 10 % slower than one, low priority should cost them no more than 25 %, and "
    "an\nidle team should use no more than 50 us a thread.";

constexpr double kWorstRatio = 1.10;
constexpr double kIdleMicroseconds = 50;

struct Options {
    int threads = 2;
    SharedRunOptions runs;
};

const LayerModelCase kLayers[] = {
    {64, 1, 100, false},  {128, 1, 100, false}, {256, 1, 100, false},
    {64, 16, 100, false}, {512, 1, 100, false}, {256, 16, 100, false},
    {64, 1, 100, true},   {128, 1, 100, true},  {256, 1, 100, true},
};

std::string name_of(const LayerModelCase& layer) {
    char text[64];
    std::snprintf(text, sizeof(text), "LSTM H=%lld N=%lld T=%lld%s",
                  static_cast<long long>(layer.hidden), static_cast<long long>(layer.batch),
                  static_cast<long long>(layer.time), layer.bidirectional ? " both" : "");
    return text;
}

void print_times(const LayerModelCase& layer, const Options& options) {
    const auto times = time_threads(layer, {1, options.threads}, options.runs);
    const double median = times[1].median / times[0].median;
    const double mean = times[1].mean / times[0].mean;
    std::printf("  %-26s", name_of(layer).c_str());
    for (const CallTimes& one : times) {
        std::printf(" %9.1f %9.1f %9.1f ", one.median, one.mean, one.p99);
    }
    std::printf(" %5.2f %5.2f%s\n", median, mean,
                std::max(median, mean) > kWorstRatio ? "  <" : "");
    std::fflush(stdout);
}

// `what`: the other load.
void print_section(const char* what, const Options& options) {
    std::printf("%s\n  %-26s %-31s%-31s%s\n  %-26s %9s %9s %9s  %9s %9s %9s  %5s %5s\n", what, "",
                "one thread, us", (std::to_string(options.threads) + " threads, us").c_str(),
                "ratio of", "", "median", "mean", "p99", "median", "mean", "p99", "med.", "mean");
    for (const LayerModelCase& layer : kLayers) print_times(layer, options);
}

void print_idle(const Options& options) {
    std::printf("idle: us of processor time in 100 ms, of the threads besides the caller's\n");
    for (const LayerModelCase& layer : kLayers) {
        const IdleTimes idle = time_idle(layer, options.threads, options.runs);
        const double allowed = kIdleMicroseconds * (options.threads - 1);
        std::printf("  %-26s %-34s median %7.1f, most %7.1f%s\n", name_of(layer).c_str(),
                    idle.strategy.c_str(), idle.median, idle.most,
                    idle.median > allowed ? "  <" : "");
    }
}

void run(const Options& options) {
    print_section("alone", options);
    {
        std::vector<std::unique_ptr<test::BusyProcess>> busy;
        for (int i = 0; i < available_cores(); ++i) {
            busy.push_back(std::make_unique<test::BusyProcess>(test::BusyProcess::kAnyCore,
                                                               test::BusyProcess::kLowPriority));
        }
        print_section("beside processes of low priority on all cores", options);
    }
    {
        const test::BusyProcess busy(0);
        print_section("beside a process on the first core", options);
    }
    {
        const test::BusyProcess busy;
        print_section("beside a process on any core", options);
    }
    print_idle(options);
}

}  // namespace
}  // namespace rondo::cpu::bench

int main(int argc, char** argv) {
    CLI::App app(rondo::cpu::bench::kAbout);
    rondo::cpu::bench::Options options;
    app.add_option("--threads", options.threads, "of the team that is compared with one thread")
        ->check(CLI::Range(2, 1024))
        ->capture_default_str();
    app.add_option("--rounds", options.runs.rounds, "bursts of each")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    try {
        app.parse(argc, argv);
        rondo::cpu::bench::run(options);
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rondo_shared_machine: %s\n", error.what());
        return 1;
    }
}
