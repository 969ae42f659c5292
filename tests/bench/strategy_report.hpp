// What rondo_strategies found: a line a layer for people, JSON for tools/fit_strategy.py.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "tests/bench/strategy_measure.hpp"

namespace rondo::cpu::bench {

void print_header(std::FILE* out);
void print_row(std::FILE* out, const StrategyRow& row);

/// How many rows, the worst choice, and how many cost more than 15 % over the best.
void print_summary(std::FILE* out, const std::vector<StrategyRow>& rows);

/// The machine, the settings and every row. Throws ModelError where the file can't be written.
void write_json(const std::string& path, const MeasureOptions& options,
                const std::vector<StrategyRow>& rows);

}  // namespace rondo::cpu::bench
