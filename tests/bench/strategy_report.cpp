#include "tests/bench/strategy_report.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "rondo/error.hpp"

namespace rondo::cpu::bench {
namespace {

std::string name_of(const StrategyCase& shape) {
    char text[96];
    std::snprintf(text, sizeof(text), "%-4s %-4s %5lld %4lld %4lld %2d %2d",
                  short_name_of(shape.kind), std::string(to_string(shape.weights)).c_str(),
                  static_cast<long long>(shape.hidden), static_cast<long long>(shape.batch),
                  static_cast<long long>(shape.time), shape.directions, shape.threads);
    return text;
}

nlohmann::json json_of(const StrategyTime& time) {
    return {{"slices", time.plan.choice.slices},
            {"row_slices", time.plan.choice.row_slices},
            {"predicted_us", time.plan.choice.microseconds},
            {"min_us", time.least},
            {"median_us", time.median}};
}

nlohmann::json json_of(const StrategyRow& row) {
    nlohmann::json json = {
        {"kind", short_name_of(row.shape.kind)},
        {"weights", std::string(to_string(row.shape.weights))},
        {"hidden", row.shape.hidden},
        {"directions", row.shape.directions},
        {"batch", row.shape.batch},
        {"time", row.shape.time},
        {"threads", row.shape.threads},
        {"chosen", cpu::to_string(row.chosen)},
    };
    for (const StrategyTime& time : row.times) {
        json["strategies"][cpu::to_string(time.plan.choice.strategy)] = json_of(time);
    }
    return json;
}

}  // namespace

void print_header(std::FILE* out) {
    std::fprintf(out,
                 "median us a call (min)\n%-4s %-4s %5s %4s %4s %2s %2s  %-19s %-19s %-19s %-19s "
                 "%-15s %-15s %s\n",
                 "cell", "type", "H", "N", "T", "D", "th", "serial", "direction_split",
                 "batch_split", "hidden_split", "chosen", "best", "cost");
}

void print_row(std::FILE* out, const StrategyRow& row) {
    std::fprintf(out, "%s ", name_of(row.shape).c_str());
    for (const Strategy strategy : kStrategies) {
        char text[48] = "-";
        for (const StrategyTime& time : row.times) {
            if (time.plan.choice.strategy != strategy) continue;
            std::snprintf(text, sizeof(text), "%.1f (%.1f)", time.median, time.least);
        }
        std::fprintf(out, " %-19s", text);
    }
    std::fprintf(out, " %-15s %-15s %.2f%s\n", cpu::to_string(row.chosen),
                 cpu::to_string(row.best().plan.choice.strategy), row.cost(),
                 row.cost() > kWorstCost ? "  <" : "");
}

void print_summary(std::FILE* out, const std::vector<StrategyRow>& rows) {
    if (rows.empty()) return;
    const auto worst = std::max_element(
        rows.begin(), rows.end(),
        [](const StrategyRow& a, const StrategyRow& b) { return a.cost() < b.cost(); });
    const auto over = std::count_if(rows.begin(), rows.end(),
                                    [](const StrategyRow& row) { return row.cost() > kWorstCost; });
    std::fprintf(out, "%zu rows; the choice costs at most %.2f times the best: %s (%s, not %s)\n",
                 rows.size(), worst->cost(), name_of(worst->shape).c_str(),
                 cpu::to_string(worst->chosen), cpu::to_string(worst->best().plan.choice.strategy));
    std::fprintf(out, "%td rows over %.2f\n", over, kWorstCost);
}

void write_json(const std::string& path, const MeasureOptions& options,
                const std::vector<StrategyRow>& rows) {
    const CpuFeatures& features = cpu_features();
    nlohmann::json json = {
        {"cpu", features.brand},
        {"vendor", cpu::name_of(features.vendor)},
        {"isa", cpu::name_of(best_isa())},
        {"caches",
         {{"l1", features.l1_bytes}, {"l2", features.l2_bytes}, {"l3", features.l3_bytes}}},
        {"bursts", options.bursts},
        {"gap_us", options.gap_microseconds},
        {"rows", nlohmann::json::array()},
    };
    for (const StrategyRow& row : rows) json["rows"].push_back(json_of(row));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"),
                                                               std::fclose);
    const std::string text = json.dump(1) + "\n";
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) {
        throw ModelError("can't write '" + path + "'");
    }
}

}  // namespace rondo::cpu::bench
