// The cost model for tools/fit_strategy.py: its costs, and what it estimates with others.
#pragma once

#include <cstdio>
#include <istream>
#include <string>
#include <vector>

namespace rondo::cpu::bench {

/// The costs of every vendor as JSON, and which of them a fit may change.
void print_model(std::FILE* out);

/// Reads the rows of the files, which write_json() wrote, then costs from `in`, a JSON object a
/// line. Prints a line for each: {"estimates": [{strategy: us} for each row], "choices":
/// [strategy]}. Throws ModelError where a file or a line can't be read.
void serve_estimates(const std::vector<std::string>& paths, std::istream& in, std::FILE* out);

}  // namespace rondo::cpu::bench
