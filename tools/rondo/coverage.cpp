// `rondo info --coverage`: which models of a collection a device runs, and what the others lack.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "model_contents.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

namespace fs = std::filesystem;

bool is_model_name(const fs::path& path) {
    return path.extension() == ".onnx" || path.extension() == ".xml";
}

std::vector<std::string> models_in(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        if (!fs::exists(path, error)) throw ModelError("there is no file or folder '" + path + "'");
        return {path};
    }
    std::vector<std::string> found;
    const auto skip = fs::directory_options::skip_permission_denied;
    for (const auto& entry : fs::recursive_directory_iterator(path, skip, error)) {
        if (is_model_name(entry.path())) found.push_back(entry.path().string());
    }
    if (found.empty()) throw ModelError("the folder '" + path + "' has no .onnx or .xml file");
    std::sort(found.begin(), found.end());
    return found;
}

struct Verdict {
    std::string model;
    std::string reason;          // why it doesn't run; empty: it does
    std::size_t operations = 0;  // of the file
    std::size_t layers = 0;      // recurrent ones that run: passes make some of loops
};

std::size_t count_operations(const std::vector<NodeInfo>& nodes) {
    const OpCounts counts = count_ops(nodes);
    std::size_t sum = counts.once;
    for (const auto& [type, count] : counts.by_type) sum += count;
    return sum;
}

// The path is in front of the line already.
std::string without_path(std::string message, const std::string& path) {
    const std::string start = path + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
}

Verdict verdict_of(Core& core, const std::string& path, const InfoOptions& options) {
    Verdict verdict{path, "", 0, 0};
    try {
        const Model model = core.read_model(path);
        verdict.operations = count_operations(model.nodes());
        const CompiledModel compiled =
            core.compile_model(model, options.device, parse_properties(options.properties));
        verdict.layers = recurrent_layers(compiled.runtime_model().nodes()).size();
    } catch (const Error& error) {
        verdict.reason = without_path(error.what(), path);
    }
    return verdict;
}

nlohmann::json to_json(const std::vector<Verdict>& verdicts) {
    auto rows = nlohmann::json::array();
    for (const Verdict& verdict : verdicts) {
        nlohmann::json row{{"model", verdict.model}, {"runs", verdict.reason.empty()}};
        if (verdict.reason.empty()) {
            row["operations"] = verdict.operations;
            row["recurrent_layers"] = verdict.layers;
        } else {
            row["reason"] = verdict.reason;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void print(const Verdict& verdict, std::size_t width) {
    std::cout << std::left << std::setw(static_cast<int>(width)) << verdict.model << "  ";
    if (verdict.reason.empty()) {
        std::cout << "runs  " << counted(verdict.operations, "operation") << ", "
                  << counted(verdict.layers, "recurrent layer") << '\n';
    } else {
        std::cout << "no    " << verdict.reason << '\n';
    }
}

}  // namespace

int coverage(const InfoOptions& options) {
    std::vector<std::string> models;
    std::size_t width = 0;
    for (const auto& path : options.models) {
        for (auto& model : models_in(path)) {
            width = std::max(width, model.size());
            models.push_back(std::move(model));
        }
    }
    Core core = core_for(options.properties);
    std::vector<Verdict> verdicts;
    for (const auto& model : models) {
        verdicts.push_back(verdict_of(core, model, options));
        if (!options.json) print(verdicts.back(), width);
    }
    const auto running = std::count_if(verdicts.begin(), verdicts.end(),
                                       [](const Verdict& one) { return one.reason.empty(); });
    if (options.json) {
        std::cout << json_text(to_json(verdicts)) << '\n';
    } else {
        std::cout << running << " of " << counted(verdicts.size(), "model") << " run"
                  << (verdicts.size() == 1 ? "s\n" : "\n");
    }
    return static_cast<std::size_t>(running) == verdicts.size() ? 0 : 1;
}

}  // namespace rondo::tool
