// Writes random models, their inputs and REFERENCE's outputs to files, for other runtimes to run.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/support/strings.hpp"
#include "tests/random/run_model.hpp"
#include "tests/support/npy.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUsage =
    "Usage: write_random_models DIR FIRST_SEED COUNT\n"
    "Writes to DIR a folder for each seed: model.onnx, and for each run a folder of inputs and\n"
    "right outputs as .npy; model.json names them.\n";

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
                        {"runs", model.inputs.size()}};
    std::ofstream(folder / "model.json") << about.dump(1) << '\n';
}

int run(const std::vector<std::string>& arguments) {
    long long first = 0;
    long long count = 0;
    if (arguments.size() != 3 || !parse_int(arguments[1], first) ||
        !parse_int(arguments[2], count) || first < 0 || count < 0) {
        std::cout << kUsage;
        return arguments.size() == 1 && arguments[0] == "--help" ? 0 : 1;
    }
    for (long long seed = first; seed < first + count; ++seed) {
        write_model(fs::path(arguments[0]) / ("seed_" + std::to_string(seed)),
                    static_cast<std::uint64_t>(seed));
    }
    return 0;
}

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    try {
        return rondo::test::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "write_random_models: " << error.what() << '\n';
        return 1;
    }
}
