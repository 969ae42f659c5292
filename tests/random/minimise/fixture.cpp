#include "tests/random/minimise/fixture.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "rondo/error.hpp"
#include "tests/random/minimise/candidate.hpp"
#include "tests/support/files/npy.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

fs::path run_folder(const fs::path& folder, std::size_t run) {
    return folder / ("run_" + std::to_string(run));
}

std::string read_bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw ModelError(path.string() + ": can't be read");
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

// In the order of their names.
std::vector<NamedTensor> read_inputs(const fs::path& folder) {
    std::vector<NamedTensor> inputs;
    for (const auto& file : fs::directory_iterator(folder)) {
        inputs.push_back({file.path().stem().string(), read_npy(file.path().string())});
    }
    std::sort(inputs.begin(), inputs.end(),
              [](const NamedTensor& a, const NamedTensor& b) { return a.name < b.name; });
    return inputs;
}

}  // namespace

void write_fixture(const fs::path& folder, const RandomModel& model) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream file(folder / "model.onnx", std::ios::binary);
    file << model.bytes;
    file.close();
    if (!file) throw ModelError((folder / "model.onnx").string() + ": can't be written");
    for (std::size_t run = 0; run < model.inputs.size(); ++run) {
        const fs::path inputs = run_folder(folder, run);
        fs::create_directories(inputs);
        for (const auto& [name, value] : model.inputs[run]) {
            write_npy((inputs / (name + ".npy")).string(), value);
        }
    }
}

RandomModel read_fixture(const fs::path& folder) {
    RandomModel model;
    model.bytes = read_bytes_of(folder / "model.onnx");
    for (std::size_t run = 0; fs::exists(run_folder(folder, run)); ++run) {
        model.inputs.push_back(read_inputs(run_folder(folder, run)));
    }
    if (model.inputs.empty()) throw ModelError(folder.string() + ": has no folder run_0");
    return Candidate(model).model();
}

}  // namespace rondo::test
