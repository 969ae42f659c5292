// 400 random whole models, written for OpenVINO: inputs that hold axes, shapes and indices have the
// forms that its ops take, and reading the file changes none of them.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/graph/constants.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/port_forms.hpp"
#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/random/random_model.hpp"
#include "tests/random/seeds.hpp"

namespace rondo::test::openvino_forms_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 40;

// Null where OpenVINO has nothing for an op of the model.
std::shared_ptr<Graph> for_openvino(std::uint64_t seed) {
    const RandomModel model = random_model(seed);
    const auto graph = Core().read_model(model.bytes.data(), model.bytes.size()).graph();
    TransformOptions options;
    options.reader = "openvino";
    try {
        run_portable_passes(*graph, options);
    } catch (const UnsupportedError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("OpenVINO has nothing for ", 0), 0U)
            << error.what();
        return nullptr;
    }
    return graph;
}

void expect_forms(const Graph& graph) {
    for_each_graph(graph, [](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto check = [&] { check_port_forms(context_of(*node), node->type_name()); };
            EXPECT_NO_THROW(check());
        }
    });
}

// The file's reader would change another form. Inputs without elements are said in another way.
void expect_same_when_read(const Graph& graph, const std::string& name) {
    const fs::path path = fs::temp_directory_path() / (name + ".xml");
    const auto changed = ir::without_empty_inputs(graph);
    ir::write(graph, path.string());
    const auto read = Core().read_model(path.string()).graph();
    EXPECT_EQ(to_text(*read), to_text(changed ? *changed : graph));
    EXPECT_EQ(ir::without_empty_inputs(*read), nullptr);
    fs::remove(path);
    fs::remove(fs::path(path).replace_extension(".bin"));
}

// True where it can be written for OpenVINO.
bool expect_openvino_reads(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) +
                 "\n  replay: RONDO_TEST_SEED=" + std::to_string(seed) +
                 " random_models_tests --gtest_filter=OpenvinoForms.OneSeed");
    const auto graph = for_openvino(seed);
    if (graph == nullptr) return false;
    expect_forms(*graph);
    expect_same_when_read(*graph, "openvino_forms_" + std::to_string(seed));
    return true;
}

class OpenvinoForms : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(OpenvinoForms, AreWritten) {
    std::uint64_t written = 0;
    for (std::uint64_t i = 0; i < kModelsAShard; ++i) {
        written += expect_openvino_reads(GetParam() * kModelsAShard + i) ? 1 : 0;
    }
    EXPECT_GE(written, kModelsAShard / 2);
}

INSTANTIATE_TEST_SUITE_P(Shard, OpenvinoForms, ::testing::Range<std::uint64_t>(0, kShards));

TEST(OpenvinoForms, OneSeed) { with_one_seed(expect_openvino_reads); }
TEST(OpenvinoForms, ManySeeds) { with_many_seeds(expect_openvino_reads); }

}  // namespace
}  // namespace rondo::test::openvino_forms_test
