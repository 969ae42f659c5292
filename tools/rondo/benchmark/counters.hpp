// Times of the nodes: as text, and as benchmark_app's files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rondo/infer_request.hpp"

namespace rondo::tool {

/// The rows as `order` wants them: "sort" has the slowest first, "simple_sort" drops those that
/// did not run; anything else leaves them as they are.
std::vector<ProfilingInfo> ordered(std::vector<ProfilingInfo> rows, const std::string& order);

/// The time of one of these rows and of all of them.
double microseconds(const ProfilingInfo& row);
double total_microseconds(const std::vector<ProfilingInfo>& rows);

/// The nodes that the row measured: the one of its name, or those of "a + b", which ran as one.
/// Empty if `names` lacks them.
std::vector<std::string> measured_nodes(const ProfilingInfo& row,
                                        const std::set<std::string>& names);

/// A row a node: status, time, share of the whole, type, kernel, name.
void print_counters(const std::vector<ProfilingInfo>& rows);

/// The same for a file of the given kind: benchmark_app's JSON, or CSV.
/// `shares`: of the machine's limit, by node.
std::string counters_json(const std::vector<ProfilingInfo>& rows, const std::string& report_type,
                          const std::map<std::string, double>& shares = {});
std::string counters_csv(const std::vector<ProfilingInfo>& rows);

}  // namespace rondo::tool
