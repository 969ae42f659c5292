#include "streams/streams_plot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "drawing.hpp"

namespace rondo::tool {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 400;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 40;
constexpr double kBottom = 50;

// A logarithmic axis from `low` to `high`, drawn from `begin` to `end`.
struct Axis {
    double low;
    double high;
    double begin;
    double end;

    double place(double value) const {
        const double share = std::log(value / low) / std::log(high / low);
        return begin + (end - begin) * std::clamp(share, 0.0, 1.0);
    }
};

using Value = std::function<double(const LiveResult&)>;

// A line of the plot: what it shows of each result.
struct Line {
    const char* name;
    const char* colour;
    Value value;
};

void draw_line(std::ostream& out, const std::vector<LiveResult>& results, const Axis& x,
               const Axis& y, const Line& line) {
    const auto& [name, colour, value] = line;
    out << "<polyline fill='none' stroke='" << colour << "' stroke-width='2' points='";
    for (const auto& result : results) {
        out << x.place(static_cast<double>(result.streams)) << "," << y.place(value(result)) << " ";
    }
    out << "'/>\n";
    for (const auto& result : results) {
        out << "<circle r='3' fill='" << colour << "' cx='"
            << x.place(static_cast<double>(result.streams)) << "' cy='" << y.place(value(result))
            << "'/>\n";
    }
    const LiveResult& last = results.back();
    out << "<text x='" << x.place(static_cast<double>(last.streams)) - 30 << "' y='"
        << y.place(value(last)) - 8 << "' fill='" << colour << "'>" << name << "</text>\n";
}

void draw_axes(std::ostream& out, const Axis& x, const Axis& y) {
    for (double value = std::pow(10, std::ceil(std::log10(y.low))); value <= y.high; value *= 10) {
        out << "<line stroke='#ddd' x1='" << x.begin << "' x2='" << x.end << "' y1='"
            << y.place(value) << "' y2='" << y.place(value) << "'/>\n<text x='" << x.begin - 8
            << "' y='" << y.place(value) + 4 << "' text-anchor='end'>" << value << "</text>\n";
    }
    for (double value = x.low; value <= x.high * 1.001; value *= 2) {
        out << "<text x='" << x.place(value) << "' y='" << y.begin + 18 << "' text-anchor='middle'>"
            << std::round(value) << "</text>\n";
    }
    out << "<text x='" << (x.begin + x.end) / 2 << "' y='" << y.begin + 38
        << "' text-anchor='middle'>live streams</text>\n"
        << "<text x='14' y='" << (y.begin + y.end) / 2 << "' text-anchor='middle' transform='rotate"
        << "(-90 14 " << (y.begin + y.end) / 2 << ")'>latency, ms</text>\n";
}

}  // namespace

std::string plot_of(const std::string& title, std::vector<LiveResult> results, double bound_ms) {
    std::sort(results.begin(), results.end(),
              [](const auto& a, const auto& b) { return a.streams < b.streams; });
    double low = bound_ms;
    double high = 2 * bound_ms;
    for (const auto& result : results) {
        low = std::min(low, std::max(result.latency.median, 1e-4));
        high = std::max(high, result.latency.p99);
    }
    const auto fewest = static_cast<double>(results.front().streams);
    const auto most = static_cast<double>(results.back().streams);
    const Axis x{fewest, std::max(most, 2 * fewest), kLeft, kWidth - kRight};
    const Axis y{low / 2, high * 1.5, kHeight - kBottom, kTop};
    std::ostringstream out;
    out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << kWidth << "' height='" << kHeight
        << "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
        << "fill='white'/>\n<text x='" << kLeft << "' y='22' font-size='14'>"
        << escaped(title, "&<>") << "</text>\n";
    draw_axes(out, x, y);
    out << "<line stroke='#c00' stroke-dasharray='5 4' x1='" << x.begin << "' x2='" << x.end
        << "' y1='" << y.place(bound_ms) << "' y2='" << y.place(bound_ms) << "'/>\n";
    const auto p50 = [](const auto& r) { return std::max(r.latency.median, 1e-4); };
    const auto p99 = [](const auto& r) { return std::max(r.latency.p99, 1e-4); };
    draw_line(out, results, x, y, {"p50", "#2a6", p50});
    draw_line(out, results, x, y, {"p99", "#26c", p99});
    out << "</svg>\n";
    return out.str();
}

}  // namespace rondo::tool
