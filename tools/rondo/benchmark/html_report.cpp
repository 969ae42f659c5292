#include "benchmark/html_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "benchmark/counters.hpp"
#include "drawing.hpp"
#include "model_contents.hpp"
#include "rondo/properties.hpp"
#include "statistics.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 220;
constexpr double kLeft = 70;
constexpr double kBottom = 30;
constexpr double kTop = 12;
constexpr std::size_t kBins = 48;
constexpr std::size_t kMostDots = 4000;  // of the course; each is the slowest of its moment

constexpr const char* kLimitKey =
    "Of the machine's limit: the least time that a layer could take, given its multiply-adds, its "
    "bytes, and the peak and bandwidth that were measured here, divided by the time that it took. "
    "More than 100 % means that its bytes lay nearer to the core than those whose bandwidth was "
    "measured, such as bytes that the layer before has just written. A dash: the work isn't known, "
    "or the layer ran for less than 1 us.";

std::string moment_text(double milliseconds) {
    if (milliseconds < 1e3) return duration_text(milliseconds);
    return formatted("%.1f s", milliseconds / 1e3);
}

// From the lowest value to the highest, with a logarithmic scale if they are far apart.
struct Axis {
    double low;
    double high;
    bool logarithmic;

    static Axis of(const std::vector<Sample>& samples) {
        double low = samples.front().latency_ms;
        double high = low;
        for (const Sample& sample : samples) {
            low = std::min(low, sample.latency_ms);
            high = std::max(high, sample.latency_ms);
        }
        low = std::max(low, 1e-6);
        high = std::max(high, low * 1.01);
        return {low, high, high > 4 * low};
    }
    double share(double value) const {
        value = std::clamp(value, low, high);
        return logarithmic ? std::log(value / low) / std::log(high / low)
                           : (value - low) / (high - low);
    }
    double at(double share) const {
        return logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
    }
};

void open_picture(std::ostream& out) {
    out << "<svg width='" << kWidth << "' height='" << kHeight
        << "' font-family='sans-serif' font-size='11'>\n";
}

void label(std::ostream& out, double x, double y, const std::string& text, const char* anchor) {
    out << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor << "'>" << text
        << "</text>\n";
}

void add_row(std::ostream& out, const std::string& name, const std::string& value) {
    out << "<tr><td>" << escaped(name, "&<>") << "</td><td>" << escaped(value, "&<>")
        << "</td></tr>\n";
}

void add_figures(std::ostream& out, const BenchmarkResult& result,
                 const BenchmarkOptions& options) {
    const auto& latency = result.latency;
    out << "<h2>Figures</h2><table>\n";
    add_row(out, "Model", options.model);
    if (result.is_interrupted) add_row(out, "Interrupted", "measured until then");
    add_row(out, "Throughput", formatted("%.2f a second", result.throughput()));
    add_row(out, "Inferences",
            std::to_string(latency.count) + " in " + duration_text(result.duration_ms) + ", " +
                std::to_string(result.requests) + " at once");
    add_row(out, "Latency, median", duration_text(latency.median));
    if (options.percentile != 50) {
        add_row(out, "Latency, percentile " + std::to_string(options.percentile),
                duration_text(latency.percentile));
    }
    add_row(out, "Latency, average", duration_text(latency.average));
    add_row(out, "Latency, least", duration_text(latency.min));
    add_row(out, "Latency, p99", duration_text(latency.p99));
    add_row(out, "Latency, most", duration_text(latency.max));
    add_row(out, "Reading", duration_text(result.read_ms));
    add_row(out, "Compiling", duration_text(result.compile_ms));
    if (!options.no_warmup) add_row(out, "First inference", duration_text(result.first_ms));
    add_row(out, "Peak memory", bytes_text(static_cast<double>(result.peak_bytes)));
    for (std::size_t i = 0; i < result.shapes.size(); ++i) {
        const auto group = summarize(latencies_of(result.samples, i), options.percentile);
        add_row(out, result.shapes[i], "median " + duration_text(group.median));
    }
    out << "</table>\n";
}

bool is_set(const BenchmarkResult& result, const std::string& property) {
    return std::any_of(result.settings.begin(), result.settings.end(),
                       [&](const auto& setting) { return setting.first == property; });
}

// Threads, and what options, files or a hint set, marked; the other properties open at a click.
void add_settings(std::ostream& out, const BenchmarkResult& result,
                  const BenchmarkOptions& options) {
    out << "<h2>Settings</h2><table>\n";
    if (!options.command_line.empty()) {
        add_row(out, "Command", "rondo " + shell_text(options.command_line));
    }
    add_row(out, "API", result.api);
    add_row(out, "Requests", std::to_string(result.requests));
    NamedTexts others;
    for (const auto& [name, value] : result.properties) {
        const bool counts = name == property::kNumStreams || name == property::kInferenceNumThreads;
        if (is_set(result, name)) {
            add_row(out, name, value + " (set)");
        } else if (counts) {
            add_row(out, name, value);
        } else {
            others.emplace_back(name, value);
        }
    }
    out << "</table>\n<details><summary>Other properties</summary><table>\n";
    for (const auto& [name, value] : others) add_row(out, name, value);
    out << "</table></details>\n";
}

void add_surroundings(std::ostream& out, const BenchmarkResult& result) {
    if (result.surroundings.empty()) return;
    out << "<h2>Where it ran</h2><table>\n";
    for (const auto& [name, value] : result.surroundings) add_row(out, name, value);
    out << "</table>\n";
}

// How near a node comes to the machine's limit.
std::string share_cell(const LimitShares& shares, const std::string& name) {
    const auto at = shares.find(name);
    if (at == shares.end()) return "<td class='number'>-</td>";
    return formatted("<td class='number'>%.0f %%</td>", 100 * at->second);
}

void add_layers(std::ostream& out, const BenchmarkResult& result) {
    const auto rows = ordered(ordered(result.profiling, "simple_sort"), "sort");
    const LimitShares shares = result.shares();
    const double total = total_microseconds(rows);
    out << "<h2>Layers</h2><p>" << rows.size() << " that ran, " << duration_text(total / 1e3)
        << " an inference";
    if (result.limits) out << "; the machine's limit: " << to_text(*result.limits);
    out << ".</p>\n<table><tr><th>time</th><th>share</th><th></th><th>of the machine's limit</th>"
           "<th>type</th><th>kernel</th><th>name</th></tr>\n";
    for (const auto& row : rows) {
        const double share = total > 0 ? microseconds(row) / total : 0;
        out << formatted("<tr><td class='number'>%.2f us</td><td class='number'>%.1f %%</td>",
                         microseconds(row), 100 * share)
            << "<td><span class='bar' style='width:" << std::lround(160 * share)
            << "px'></span></td>" << share_cell(shares, row.node_name) << "<td>"
            << escaped(row.node_type, "&<>") << "</td><td>" << escaped(row.exec_type, "&<>")
            << "</td><td>" << escaped(row.node_name, "&<>") << "</td></tr>\n";
    }
    out << "</table>\n";
    if (result.limits) out << "<p>" << kLimitKey << "</p>\n";
}

void add_graph(std::ostream& out, const BenchmarkResult& result) {
    out << "<h2>Graph that ran</h2>\n";
    if (!has_graphviz()) {
        out << "<p>Graphviz isn't here (Debian: apt-get install graphviz).</p>\n";
        return;
    }
    NodeTimes times;
    std::set<std::string> names;
    visit_graphs(result.nodes, [&](const auto& nodes, const std::string& place) {
        for (const auto& node : nodes) names.insert(place + node.name);
    });
    for (const auto& row : result.profiling) {
        if (row.status != ProfilingInfo::ExecutionStatus::executed) continue;
        for (const std::string& name : measured_nodes(row, names)) {
            times[name].microseconds += microseconds(row);
            times[name].measured_as = row.node_name;
        }
    }
    out << graph_section(svg_of(to_dot(result.topology, result.nodes, times)), GraphColours::times);
}

}  // namespace

std::string histogram_of(const std::vector<Sample>& samples) {
    if (samples.empty()) return {};
    const Axis axis = Axis::of(samples);
    std::vector<std::size_t> counts(kBins, 0);
    for (const Sample& sample : samples) {
        const auto bin = static_cast<std::size_t>(axis.share(sample.latency_ms) * kBins);
        ++counts[std::min(bin, kBins - 1)];
    }
    const std::size_t most = *std::max_element(counts.begin(), counts.end());
    const double step = (kWidth - kLeft) / kBins;
    const double base = kHeight - kBottom;
    std::ostringstream out;
    open_picture(out);
    for (std::size_t i = 0; i < kBins; ++i) {
        const double height =
            (base - kTop) * static_cast<double>(counts[i]) / static_cast<double>(most);
        out << "<rect fill='#4a90c0' x='" << kLeft + step * static_cast<double>(i) << "' y='"
            << base - height << "' width='" << step - 1 << "' height='" << height << "'><title>"
            << duration_text(axis.at(static_cast<double>(i) / kBins)) << ": " << counts[i]
            << "</title></rect>\n";
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        label(out, kLeft + (kWidth - kLeft) * share, kHeight - 10, duration_text(axis.at(share)),
              share == 0 ? "start" : (share == 1 ? "end" : "middle"));
    }
    label(out, kLeft - 6, kTop + 8, std::to_string(most), "end");
    out << "</svg>\n";
    return out.str();
}

std::string course_of(const std::vector<Sample>& samples) {
    if (samples.empty()) return {};
    const Axis axis = Axis::of(samples);
    const double last = std::max(samples.back().end_ms, 1e-6);
    const double base = kHeight - kBottom;
    const std::size_t group = (samples.size() + kMostDots - 1) / kMostDots;
    std::ostringstream out;
    open_picture(out);
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = base - (base - kTop) * share;
        out << "<line stroke='#ddd' x1='" << kLeft << "' x2='" << kWidth << "' y1='" << y
            << "' y2='" << y << "'/>\n";
        label(out, kLeft - 6, y + 4, duration_text(axis.at(share)), "end");
    }
    for (std::size_t i = 0; i < samples.size(); i += group) {
        const auto slowest = std::max_element(
            samples.begin() + static_cast<std::ptrdiff_t>(i),
            samples.begin() + static_cast<std::ptrdiff_t>(std::min(i + group, samples.size())),
            [](const Sample& a, const Sample& b) { return a.latency_ms < b.latency_ms; });
        out << "<circle r='1.5' fill='#4a90c0' cx='"
            << kLeft + (kWidth - kLeft) * std::clamp(slowest->end_ms / last, 0.0, 1.0) << "' cy='"
            << base - (base - kTop) * axis.share(slowest->latency_ms) << "'/>\n";
    }
    label(out, kLeft, kHeight - 10, "0 s", "start");
    label(out, kWidth, kHeight - 10, moment_text(last), "end");
    out << "</svg>\n";
    return out.str();
}

std::string html_report(const BenchmarkResult& result, const BenchmarkOptions& options) {
    std::ostringstream out;
    out << page_head(result.topology + " on " + options.device);
    add_figures(out, result, options);
    add_surroundings(out, result);
    add_settings(out, result, options);
    out << "<h2>Latencies</h2><p>How many inferences took how long.</p>\n"
        << histogram_of(result.samples) << "<p>How long they took, in the course of time";
    if (result.samples.size() > kMostDots) out << " (a dot is the slowest of its moment)";
    out << ".</p>\n" << course_of(result.samples);
    add_layers(out, result);
    add_graph(out, result);
    out << "</body></html>\n";
    return out.str();
}

}  // namespace rondo::tool
