#include "tests/conformance/onnx_node_data.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/support/process.hpp"
#include "frontend/onnx/messages/tensor_reader.hpp"
#include "frontend/onnx/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

Tensor read_message(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    rondo_onnx::TensorProto message;
    if (!message.ParseFromIstream(&file)) throw ModelError(path.string() + ": no tensor message");
    return onnx::TensorReader().read(message);
}

std::vector<Tensor> read_messages(const fs::path& folder, const std::string& kind) {
    std::vector<Tensor> tensors;
    while (true) {
        const fs::path path = folder / (kind + "_" + std::to_string(tensors.size()) + ".pb");
        if (!fs::exists(path)) return tensors;
        tensors.push_back(read_message(path));
    }
}

// Tests of strings and training; of random numbers, which are onnx's own; and of bfloat16, whose
// data are written as 16-bit integers.
bool is_out_of_scope(const std::string& name) {
    constexpr std::array kParts = {"STRING", "_string", "test_training_dropout", "BFLOAT16",
                                   "test_bernoulli"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](const char* part) { return name.find(part) != std::string::npos; });
}

using Opsets = std::map<std::string, std::int64_t>;

// Those in bodies too.
bool are_known(const rondo_onnx::GraphProto& graph, const Opsets& opsets) {
    return std::all_of(graph.node().begin(), graph.node().end(), [&](const auto& node) {
        const auto& attributes = node.attribute();
        const auto opset = opsets.find(node.domain());
        return opset != opsets.end() &&
               onnx::find_converter(node.domain(), node.op_type(), opset->second) != nullptr &&
               std::all_of(attributes.begin(), attributes.end(), [&](const auto& attribute) {
                   return !attribute.has_g() || are_known(attribute.g(), opsets);
               });
    });
}

bool has_tensors_only(const rondo_onnx::GraphProto& graph) {
    const auto is_tensor = [](const auto& value) { return value.type().has_tensor_type(); };
    return std::all_of(graph.input().begin(), graph.input().end(), is_tensor) &&
           std::all_of(graph.output().begin(), graph.output().end(), is_tensor);
}

bool has_known_operators_only(const fs::path& model) {
    std::ifstream file(model, std::ios::binary);
    rondo_onnx::ModelProto message;
    if (!message.ParseFromIstream(&file)) return false;
    Opsets opsets;
    for (const auto& import : message.opset_import()) opsets[import.domain()] = import.version();
    return has_tensors_only(message.graph()) && are_known(message.graph(), opsets);
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

std::vector<std::string> readable_node_tests() {
    std::vector<std::string> names;
    if (!fs::is_directory(onnx_node_data_dir())) return names;
    for (const auto& entry : fs::directory_iterator(onnx_node_data_dir())) {
        const std::string name = entry.path().filename().string();
        if (is_out_of_scope(name)) continue;
        if (has_known_operators_only(entry.path() / "model.onnx")) names.push_back(name);
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
