// The flags of `rondo benchmark`: benchmark_app's, by their short and long names, and our own.
#pragma once

#include <CLI/CLI.hpp>

#include "arguments.hpp"

namespace rondo::tool {

/// Adds the subcommand, which fills `options`.
CLI::App* add_benchmark(CLI::App& app, BenchmarkOptions& options);

}  // namespace rondo::tool
