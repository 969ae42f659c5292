// Writes random models, their inputs and REFERENCE's outputs to files, for other runtimes to run.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/run_model.hpp"
#include "tests/support/case_writer.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUsage =
    "Usage: write_random_models DIR FIRST_SEED COUNT\n"
    "Writes to DIR a folder for each seed: model.onnx, and for each run a folder of inputs and\n"
    "right outputs as .npy; model.json names them.\n";

// In bodies, too.
std::set<std::string> operators_of(const RandomModel& model) {
    std::set<std::string> operators;
    Candidate candidate(model);
    for (const auto* graph : all_graphs(candidate)) {
        for (const auto& node : graph->node()) operators.insert(node.op_type());
    }
    return operators;
}

// Whether a node casts to f16.
bool has_halves(const RandomModel& model) {
    Candidate candidate(model);
    for (const auto* graph : all_graphs(candidate)) {
        for (const auto& node : graph->node()) {
            for (const auto& attribute : node.attribute()) {
                const bool is_f16 = attribute.i() == to_onnx(ElementType::f16);
                if (node.op_type() == "Cast" && is_f16) return true;
            }
        }
    }
    return false;
}

void write_model(const fs::path& folder, std::uint64_t seed) {
    const RandomModel model = random_model(seed);
    const auto expected = run_model(model, "REFERENCE");
    fs::create_directories(folder);
    std::ofstream(folder / "model.onnx", std::ios::binary) << model.bytes;
    json inputs = json::array();
    for (const auto& input : model.inputs.front()) inputs.push_back(input.name);
    for (std::size_t run = 0; run < model.inputs.size(); ++run) {
        const fs::path run_folder = folder / ("run_" + std::to_string(run));
        fs::create_directories(run_folder);
        for (const auto& [name, value] : model.inputs[run]) {
            write_npy((run_folder / (name + ".npy")).string(), value);
        }
        for (std::size_t i = 0; i < model.outputs.size(); ++i) {
            write_npy((run_folder / (model.outputs[i] + ".npy")).string(), expected[run][i]);
        }
    }
    const json about = {{"seed", seed},
                        {"inputs", inputs},
                        {"outputs", model.outputs},
                        {"operators", operators_of(model)},
                        {"has_f16", has_halves(model)},
                        {"runs", model.inputs.size()}};
    std::ofstream(folder / "model.json") << about.dump(1) << '\n';
}

bool run(const Arguments& arguments) {
    const auto range = seed_range(arguments);
    if (range) write_seeds(*range, write_model);
    return range.has_value();
}

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    using namespace rondo::test;
    return run_writer("write_random_models", kUsage, argc, argv, run);
}
