// A benchmark's report as one page that needs no other file.
#pragma once

#include <string>
#include <vector>

#include "benchmark/benchmark_report.hpp"

namespace rondo::tool {

/// Figures, where and with which settings they were measured, a histogram and the course of the
/// latencies, a table of the layers by time with their shares of the machine's limit, and the graph
/// coloured by time, which is left out if Graphviz isn't here.
std::string html_report(const BenchmarkResult& result, const BenchmarkOptions& options);

/// The two pictures, as SVG.
std::string histogram_of(const std::vector<Sample>& samples);
std::string course_of(const std::vector<Sample>& samples);

}  // namespace rondo::tool
