// rondo_strategies: what each strategy costs on a grid of layers, and what choosing wrong costs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <thread>

#include "rondo/error.hpp"
#include "tests/bench/strategy_model.hpp"
#include "tests/bench/strategy_report.hpp"

namespace rondo::cpu::bench {
namespace {

constexpr const char* kAbout =
    "Runs recurrent layers as every strategy that their shape allows, forced, in turns, and "
    "prints\n"
    "what choose_strategy() would take, which was the fastest, and the ratio of the two. A row\n"
    "whose ratio is over 1.15 is measured once more, with three times the bursts, which counts.\n"
    "Examples:\n"
    "  rondo_strategies --quick\n"
    "  rondo_strategies --kinds lstm --hidden 64,256 --batch 1 --json strategies.json";

constexpr int kLongerRounds = 3;

struct Options {
    StrategyGrid grid;
    MeasureOptions measure;
    std::string json;
    bool quick = false;
    bool model = false;
    std::vector<std::string> estimate;
};

void add_options(CLI::App& app, Options& o) {
    const auto list = [&app](const char* name, auto& values, const char* text) {
        return app.add_option(name, values, text)->delimiter(',')->capture_default_str();
    };
    list("--kinds", o.grid.kinds, "cells (gru1, gru0: linear_before_reset)")
        ->check(CLI::IsMember({"lstm", "gru1", "gru0", "rnn"}));
    list("--weights", o.grid.weights, "types of weights")
        ->check(CLI::IsMember({"f32", "f16", "bf16"}));
    list("--hidden", o.grid.hidden, "H, and I")->check(CLI::Range(1, 65536));
    list("--directions", o.grid.directions, "1, 2 or both")->check(CLI::Range(1, 2));
    list("--batch", o.grid.batch, "N")->check(CLI::Range(1, 65536));
    list("--time", o.grid.time, "T")->check(CLI::Range(1, 65536));
    list("--threads", o.grid.threads, "sizes of the team; default 2, and all cores if more")
        ->check(CLI::Range(2, 1024));
    app.add_option("--bursts", o.measure.bursts, "rounds, each with a burst of each strategy")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--gap", o.measure.gap_microseconds,
                   "microseconds of sleep before each call: threads have to be woken")
        ->check(CLI::Range(0.0, 1e6));
    app.add_option("--json", o.json, "write all figures to this file, for tools/fit_strategy.py");
    app.add_flag("--model", o.model, "print the costs that the choice knows, and measure nothing");
    app.add_option("--estimate", o.estimate,
                   "print estimates for the rows of these files, with costs from standard input");
    app.add_flag("--quick", o.quick, "H up to 256, N 1 and 16, short bursts");
}

void complete(Options& o) {
    if (o.quick) {
        o.grid.hidden = {32, 64, 128, 256};
        o.grid.batch = {1, 16};
        o.measure.burst_microseconds = 300;
    }
    if (o.grid.threads.empty()) {
        const int all = static_cast<int>(std::thread::hardware_concurrency());
        o.grid.threads = {2};
        if (all > 2) o.grid.threads.push_back(all);
    }
}

void run(const Options& options) {
    StrategyMeter meter;
    MeasureOptions longer = options.measure;
    longer.bursts *= kLongerRounds;
    std::vector<StrategyRow> rows;
    print_header(stdout);
    for (const StrategyCase& shape : cases_of(options.grid)) {
        StrategyRow row = meter.measure(shape, options.measure);
        // What looks wrong may have been disturbed.
        if (row.cost() > kWorstCost) row = meter.measure(shape, longer);
        rows.push_back(std::move(row));
        print_row(stdout, rows.back());
        std::fflush(stdout);
    }
    print_summary(stdout, rows);
    if (!options.json.empty()) write_json(options.json, options.measure, rows);
}

}  // namespace
}  // namespace rondo::cpu::bench

int main(int argc, char** argv) {
    CLI::App app(rondo::cpu::bench::kAbout);
    rondo::cpu::bench::Options options;
    rondo::cpu::bench::add_options(app, options);
    try {
        app.parse(argc, argv);
        rondo::cpu::bench::complete(options);
        if (options.model) {
            rondo::cpu::bench::print_model(stdout);
        } else if (!options.estimate.empty()) {
            rondo::cpu::bench::serve_estimates(options.estimate, std::cin, stdout);
        } else {
            rondo::cpu::bench::run(options);
        }
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 1;
    } catch (const rondo::Error& error) {
        std::fprintf(stderr, "rondo_strategies: %s\n", error.what());
        return 1;
    }
}
