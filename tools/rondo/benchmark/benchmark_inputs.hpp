// The sets of inputs that a benchmark feeds in turn.
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"
#include "benchmark/benchmark_loop.hpp"
#include "rondo/model.hpp"

namespace rondo::tool {

/// Sets the shapes of -shape and the batch of -b.
void reshape(Model& model, const BenchmarkOptions& options);

/// One set a data shape; sets beyond an input's own list start again at its first.
std::vector<InputSet> make_inputs(const Model& model, const BenchmarkOptions& options);

/// The shapes of a set: "x[1,8,8], h[1,1,4]".
std::string shapes_text(const InputSet& inputs);

}  // namespace rondo::tool
