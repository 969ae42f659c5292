#include "tests/unit/bindings/triton/models.hpp"

#include <filesystem>
#include <numeric>
#include <random>

#include "rondo/graph_builder.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::triton {
namespace {

const std::string kDetector = RONDO_SOURCE_DIR "/docs/examples/streaming/detector";

GraphNode parameter(const std::string& name, const std::string& shape, const std::string& type) {
    return make_node({"Parameter", "opset1", name, {}, {{"shape", shape}, {"element_type", type}}});
}

GraphNode binary(const std::string& type, const std::string& name, const GraphNode& a,
                 const GraphNode& b) {
    return make_node({type, "opset1", name, {a.output(0), b.output(0)}});
}

}  // namespace

ModelFolder::ModelFolder() { std::filesystem::create_directory(version()); }

ModelFolder ModelFolder::with_detector() {
    ModelFolder folder;
    std::filesystem::copy_file(kDetector + ".xml", folder.version() + "/model.xml");
    std::filesystem::copy_file(kDetector + ".bin", folder.version() + "/model.bin");
    return folder;
}

ModelFolder ModelFolder::with(const Model& model) {
    ModelFolder folder;
    save_model(model, folder.version() + "/model.xml");
    return folder;
}

std::string config_with(const std::vector<std::pair<std::string, std::string>>& parameters,
                        const std::string& others) {
    std::string entries;
    for (const auto& [name, value] : parameters) {
        entries +=
            (entries.empty() ? "\"" : ",\"") + name + R"(":{"string_value":")" + value + "\"}";
    }
    return R"({"max_batch_size":0,"input":[],"output":[],"parameters":{)" + entries + "}" +
           (others.empty() ? "" : "," + others) + "}";
}

Model table_model() {
    Tensor table(ElementType::f32, {16, 4});
    std::iota(table.data<float>(), table.data<float>() + table.size(), 0.5f);
    Tensor zero(ElementType::i64, {});
    const GraphNode row = parameter("row", "?,1", "i64");
    const GraphNode y = make_node({"Gather",
                                   "opset8",
                                   "y",
                                   {make_constant(table, "table").output(0), row.output(0),
                                    make_constant(zero, "axis").output(0)}});
    return make_model({"table", {row}, {y.output(0)}});
}

Model decay_model() {
    const GraphNode x = parameter("x", "?,3", "f32");
    const GraphNode s = parameter("s", "?,3", "f32");
    const GraphNode scale = parameter("scale", "", "f32");
    Tensor two(ElementType::f32, {});
    *two.data<float>() = 2;
    const GraphNode next = binary("Add", "s_out", binary("Multiply", "scaled", s, scale), x);
    const GraphNode y = binary("Multiply", "y", next, make_constant(two, "two"));
    return make_model({"decay", {x, s, scale}, {y.output(0), next.output(0)}});
}

std::vector<float> frames(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> all(count * 16);
    for (float& value : all) value = values(random);
    return all;
}

Alone::Alone() {
    const Core core;
    Model model = core.read_model(kDetector + ".xml");
    model.make_stateful();
    request_ =
        core.compile_model(model, "CPU", {{"INFERENCE_NUM_THREADS", "1"}}).create_infer_request();
}

std::vector<float> Alone::score(const std::vector<float>& audio) {
    Tensor tensor(ElementType::f32, {1, audio.size() / 16, 16});
    std::copy(audio.begin(), audio.end(), tensor.data<float>());
    request_.set_tensor("audio", tensor);
    request_.infer();
    const Tensor score = request_.get_tensor("score");
    return {score.data<float>(), score.data<float>() + score.size()};
}

Ask step_of(const SequenceId& id, const std::vector<float>& audio, std::uint32_t flags) {
    Ask ask;
    ask.id = id;
    ask.flags = flags;
    ask.inputs["audio"] = data_of({1, static_cast<std::int64_t>(audio.size() / 16), 16}, audio);
    ask.outputs = {"score"};
    return ask;
}

}  // namespace rondo::test::triton
