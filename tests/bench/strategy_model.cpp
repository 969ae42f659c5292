#include "tests/bench/strategy_model.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "plugins/cpu/kernels/choice/strategy.hpp"
#include "rondo/error.hpp"
#include "tests/bench/strategy_case.hpp"

namespace rondo::cpu::bench {
namespace {

struct MeasuredRow {
    CpuFeatures features;
    CellConfig cell;
    LayerShape shape;
    std::vector<Strategy> strategies;
};

nlohmann::json json_of(const MachineCosts& costs) {
    nlohmann::json json;
    for (const CostField& field : cost_fields()) json[field.name] = costs.*field.value;
    return json;
}

MachineCosts costs_of(const nlohmann::json& json) {
    MachineCosts costs{};
    for (const CostField& field : cost_fields()) costs.*field.value = json.at(field.name);
    return costs;
}

CpuFeatures features_of(const nlohmann::json& file) {
    CpuFeatures features;
    const std::string isa = file.at("isa"), vendor = file.value("vendor", "other");
    features.avx512 = isa == "avx512";
    features.avx2 = isa != "plain";
    features.l1_bytes = file.at("caches").at("l1");
    features.l2_bytes = file.at("caches").at("l2");
    features.l3_bytes = file.at("caches").at("l3");
    for (const CpuVendor one : {CpuVendor::intel, CpuVendor::amd}) {
        if (vendor == cpu::name_of(one)) features.vendor = one;
    }
    return features;
}

MeasuredRow row_of(const nlohmann::json& json, const CpuFeatures& features) {
    const std::int64_t hidden = json.at("hidden");
    MeasuredRow row{features, default_cell(cell_kind_of(json.at("kind")), hidden, hidden), {}, {}};
    const std::string weights = json.at("weights");
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
        if (weights == to_string(type)) row.cell.weights = type;
    }
    row.shape.directions = json.at("directions");
    row.shape.time = json.at("time");
    row.shape.batch = json.at("batch");
    row.shape.threads = json.at("threads");
    for (const Strategy strategy : kStrategies) {
        if (json.at("strategies").contains(cpu::to_string(strategy))) {
            row.strategies.push_back(strategy);
        }
    }
    return row;
}

std::vector<MeasuredRow> read_rows(const std::vector<std::string>& paths) {
    std::vector<MeasuredRow> rows;
    for (const std::string& path : paths) {
        std::ifstream file(path);
        if (!file) throw ModelError("can't read '" + path + "'");
        const auto json = nlohmann::json::parse(file);
        const CpuFeatures features = features_of(json);
        for (const auto& row : json.at("rows")) rows.push_back(row_of(row, features));
    }
    return rows;
}

nlohmann::json estimates_of(const std::vector<MeasuredRow>& rows, const MachineCosts& costs) {
    nlohmann::json answer = {{"estimates", nlohmann::json::array()},
                             {"choices", nlohmann::json::array()}};
    for (const MeasuredRow& row : rows) {
        const CostModel model(row.features, costs);
        nlohmann::json estimates;
        for (const Strategy strategy : row.strategies) {
            const auto choice = estimate(strategy, row.cell, model, row.shape);
            if (choice) estimates[cpu::to_string(strategy)] = choice->microseconds;
        }
        answer["estimates"].push_back(std::move(estimates));
        answer["choices"].push_back(
            cpu::to_string(choose_strategy(row.cell, model, row.shape).strategy));
    }
    return answer;
}

}  // namespace

void print_model(std::FILE* out) {
    nlohmann::json json;
    for (const CpuVendor vendor : {CpuVendor::intel, CpuVendor::amd}) {
        json["costs"][cpu::name_of(vendor)] = json_of(machine_costs(vendor));
    }
    for (const CostField& field : cost_fields()) {
        if (field.fitted) json["fitted"].push_back(field.name);
    }
    std::fprintf(out, "%s\n", json.dump(1).c_str());
}

void serve_estimates(const std::vector<std::string>& paths, std::istream& in, std::FILE* out) {
    try {
        const std::vector<MeasuredRow> rows = read_rows(paths);
        for (std::string line; std::getline(in, line);) {
            const MachineCosts costs = costs_of(nlohmann::json::parse(line));
            std::fprintf(out, "%s\n", estimates_of(rows, costs).dump().c_str());
            std::fflush(out);
        }
    } catch (const nlohmann::json::exception& error) {
        throw ModelError(std::string("--estimate: ") + error.what());
    }
}

}  // namespace rondo::cpu::bench
