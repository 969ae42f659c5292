#include "benchmark/counters.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "texts.hpp"

namespace rondo::tool {
namespace {

constexpr std::size_t kMostWidth = 60;

const char* status_text(ProfilingInfo::ExecutionStatus status) {
    switch (status) {
        case ProfilingInfo::ExecutionStatus::executed: return "EXECUTED";
        case ProfilingInfo::ExecutionStatus::optimized_out: return "OPTIMIZED_OUT";
        case ProfilingInfo::ExecutionStatus::not_run: break;
    }
    return "NOT_RUN";
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

// The width of a column that holds each row's text. One longer than kMostWidth moves its own row
// alone.
std::size_t width_of(const std::vector<ProfilingInfo>& rows, std::string ProfilingInfo::*text) {
    std::size_t width = 0;
    for (const auto& row : rows) {
        if ((row.*text).size() <= kMostWidth) width = std::max(width, (row.*text).size());
    }
    return width;
}

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

double microseconds(const ProfilingInfo& row) {
    return static_cast<double>(row.real_time_ns.count()) / 1e3;
}

double total_microseconds(const std::vector<ProfilingInfo>& rows) {
    double total = 0;
    for (const auto& row : rows) total += microseconds(row);
    return total;
}

std::vector<std::string> measured_nodes(const ProfilingInfo& row,
                                        const std::set<std::string>& names) {
    constexpr std::string_view kJoin = " + ";
    if (names.count(row.node_name) != 0) return {row.node_name};
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= row.node_name.size()) {
        const std::size_t end = std::min(row.node_name.find(kJoin, begin), row.node_name.size());
        parts.push_back(row.node_name.substr(begin, end - begin));
        if (names.count(parts.back()) == 0) return {};
        begin = end + kJoin.size();
    }
    return parts;
}

std::vector<ProfilingInfo> ordered(std::vector<ProfilingInfo> rows, const std::string& order) {
    if (order == "sort") {
        std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
            return a.real_time_ns > b.real_time_ns;
        });
    }
    if (order == "simple_sort") {
        std::erase_if(rows, [](const auto& row) {
            return row.status != ProfilingInfo::ExecutionStatus::executed;
        });
    }
    return rows;
}

void print_counters(const std::vector<ProfilingInfo>& rows) {
    const double total = total_microseconds(rows);
    const std::size_t type_width = width_of(rows, &ProfilingInfo::node_type);
    const std::size_t kernel_width = width_of(rows, &ProfilingInfo::exec_type);
    for (const auto& row : rows) {
        std::cout << formatted("%-14s %10.2f us %6.2f %%", status_text(row.status),
                               microseconds(row), share(microseconds(row), total))
                  << "  " << padded(row.node_type, type_width) << "  "
                  << padded(row.exec_type, kernel_width) << "  " << row.node_name << '\n';
    }
    std::cout << "Total: " << duration_text(total / 1e3) << " an inference\n";
}

std::string counters_json(const std::vector<ProfilingInfo>& rows, const std::string& report_type,
                          const std::map<std::string, double>& shares) {
    const double total = total_microseconds(rows);
    nlohmann::json nodes = nlohmann::json::array();
    for (const auto& row : rows) {
        nodes.push_back({{"name", row.node_name},
                         {"node_type", row.node_type},
                         {"status", std::string("Status.") + status_text(row.status)},
                         {"real_time", microseconds(row) / 1e3},
                         {"cpu_time", microseconds(row) / 1e3},
                         {"exec_type", row.exec_type},
                         {"%", share(microseconds(row), total)}});
        const auto at = shares.find(row.node_name);
        if (at != shares.end()) nodes.back()["fraction_of_limit"] = at->second;
    }
    return json_text(
        {{"report_type", report_type},
         {"avg_performance",
          {{"nodes", nodes}, {"total_real_time", total / 1e3}, {"total_cpu_time", total / 1e3}}}});
}

std::string counters_csv(const std::vector<ProfilingInfo>& rows) {
    const auto quoted = [](const std::string& text) {
        std::string result = "\"";
        for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
        return result + "\"";
    };
    std::ostringstream file;
    file << "name;status;type;kernel;real time (us)\n";
    for (const auto& row : rows) {
        file << quoted(row.node_name) << ';' << status_text(row.status) << ';' << row.node_type
             << ';' << quoted(row.exec_type) << ';' << microseconds(row) << '\n';
    }
    return file.str();
}

}  // namespace rondo::tool
