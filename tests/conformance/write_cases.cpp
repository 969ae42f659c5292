// Writes recurrent nodes, their inputs and the right answers to files, for other runtimes to run.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/conformance/feature_list.hpp"
#include "tests/conformance/feature_verdict.hpp"
#include "tests/conformance/node_model.hpp"
#include "tests/conformance/random_node.hpp"
#include "tests/conformance/run_node.hpp"
#include "tests/support/case_writer.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUsage =
    "Usage: conformance_cases DIR [FIRST_SEED COUNT]\n"
    "Writes to DIR a folder for each case: model.onnx, inputs and right outputs as .npy, "
    "case.json.\n"
    "With seeds: random nodes as the differential test has them; else the rows of\n"
    "docs/measurements/conformance.md.\n";

// NumPy has no bf16: its bits are written as u16, and case.json has the type.
void write_tensor(const fs::path& path, const Tensor& tensor) {
    if (tensor.element_type() != ElementType::bf16) return write_npy(path.string(), tensor);
    write_npy(path.string(), Tensor(ElementType::u16, tensor.shape(), tensor.data(), nullptr));
}

json write_inputs(const fs::path& folder, const RecurrentNode& node) {
    json inputs = json::array();
    for (const auto& input : model_inputs(node)) {
        write_tensor(folder / (input.name + ".npy"), input.value);
        inputs.push_back({{"name", input.name}, {"type", to_string(input.value.element_type())}});
    }
    return inputs;
}

json write_outputs(const fs::path& folder, const RecurrentNode& node,
                   const ReferenceResult& reference) {
    json names = json::array();
    const auto existing = model_outputs(node);
    std::size_t next = 0;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        if (!node.outputs[k]) continue;
        const Tensor rounded = converted(reference.outputs[k], node.type);
        write_npy((folder / (existing[next] + ".npy")).string(),
                  converted(rounded, ElementType::f64));
        names.push_back(existing[next++]);
    }
    return names;
}

// Some results of onnxruntime and OpenVINO depend on the source of the values, hence the tags.
void write_case(const fs::path& folder, const RecurrentNode& node, json about, bool must_fail) {
    fs::create_directories(folder);
    std::ofstream(folder / "model.onnx", std::ios::binary) << model_of(node);
    about["op"] = node.op_type;
    about["tags"] = node.tags();
    about["description"] = node.describe();
    about["must_fail"] = must_fail;
    about["inputs"] = write_inputs(folder, node);
    if (!must_fail) {
        const ReferenceResult reference = onnx_reference(node);
        const Tolerance tolerance = tolerance_of(node, reference);
        about["outputs"] = write_outputs(folder, node, reference);
        about["absolute"] = tolerance.absolute;
        about["relative"] = tolerance.relative;
    }
    std::ofstream(folder / "case.json") << about.dump(1) << '\n';
}

void write_features(const fs::path& folder) {
    std::size_t row = 0;
    for (const auto& feature : feature_list()) {
        const json about = {
            {"row", row}, {"feature", feature.name}, {"rondo", rondo_verdict(feature)}};
        for (const auto& node : feature.nodes) {
            std::string number = std::to_string(row);
            number.insert(0, 3 - std::min<std::size_t>(3, number.size()), '0');
            write_case(folder / ("row_" + number + "_" + node.op_type), node, about,
                       feature.must_fail);
        }
        ++row;
    }
}

bool run(const Arguments& arguments) {
    if (arguments.size() == 1) {
        write_features(arguments[0]);
        return true;
    }
    const auto range = seed_range(arguments);
    if (!range) return false;
    write_seeds(*range, [](const fs::path& folder, std::uint64_t seed) {
        write_case(folder, random_node(seed), {{"seed", seed}}, false);
    });
    return true;
}

}  // namespace
}  // namespace rondo::test

int main(int argc, char** argv) {
    using namespace rondo::test;
    return run_writer("conformance_cases", kUsage, argc, argv, run);
}
