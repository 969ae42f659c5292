#include "tests/conformance/onnx_node_data.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/support/env.hpp"
#include "frontend/onnx/tensor_reader.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

Tensor read_message(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    rondo_onnx::TensorProto message;
    if (!message.ParseFromIstream(&file)) throw ModelError(path.string() + ": no tensor message");
    return onnx::TensorReader("").read(message);
}

std::vector<Tensor> read_messages(const fs::path& folder, const std::string& kind) {
    std::vector<Tensor> tensors;
    while (true) {
        const fs::path path = folder / (kind + "_" + std::to_string(tensors.size()) + ".pb");
        if (!fs::exists(path)) return tensors;
        tensors.push_back(read_message(path));
    }
}

}  // namespace

std::string onnx_node_data_dir() {
    return env("RONDO_ONNX_NODE_DATA").value_or("/usr/share/libonnx-testdata/data/node");
}

std::vector<std::string> recurrent_node_tests() {
    std::vector<std::string> names;
    if (!fs::is_directory(onnx_node_data_dir())) return names;
    for (const auto& entry : fs::directory_iterator(onnx_node_data_dir())) {
        const std::string name = entry.path().filename().string();
        for (const char* start : {"test_lstm_", "test_gru_", "test_rnn_", "test_simple_rnn_"}) {
            if (name.rfind(start, 0) == 0) names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<OnnxDataSet> read_data_sets(const std::string& folder) {
    std::vector<OnnxDataSet> sets;
    while (true) {
        const fs::path path = fs::path(folder) / ("test_data_set_" + std::to_string(sets.size()));
        if (!fs::is_directory(path)) return sets;
        sets.push_back({read_messages(path, "input"), read_messages(path, "output")});
    }
}

}  // namespace rondo::test
