// Reads real third-party models and checks their graphs.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/graph/inference.hpp"
#include "core/support/mapped_file.hpp"
#include "frontend/onnx/onnx.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/models.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::real_models_test {
namespace {

std::shared_ptr<Graph> read_file(const std::string& path) {
    const MappedFile file = map_file(path);
    ModelSource source;
    source.path = path;
    source.data = file.data;
    source.size = file.size;
    EXPECT_TRUE(can_read(source));
    return read(source);
}

class OnnxRealModel : public testing::TestWithParam<const char*> {};

// The references come from onnxruntime without graph optimisation.
TEST_P(OnnxRealModel, GivesTheReferenceAnswer) {
    const auto models = test::models_dir();
    if (!models) GTEST_SKIP() << test::kNoModels;
    const std::string folder = *models + "/" + GetParam();
    const auto graph = read_file(folder + "/model.onnx");
    check_graph(*graph);
    for (const std::string one : {"case0_", "case1_"}) {
        std::vector<Tensor> inputs;
        for (const auto& node : graph->parameters()) {
            inputs.push_back(
                test::read_npy(folder + "/ref/" + one + "in_" + node->name() + ".npy"));
        }
        const auto outputs = test::evaluate(*graph, inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const std::string name = *graph->results()[i]->output(0).names().begin();
            test::expect_near(
                outputs[i], test::read_npy(folder + "/ref/" + one + "out_" + name + ".npy"), 1e-4);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, OnnxRealModel,
                         testing::Values("fw_silero_decoder_v6", "dtln_1", "dtln_pytorch_p1",
                                         "dtln_pytorch_p2", "vietocr_encoder"),
                         [](const auto& info) { return std::string(info.param); });

TEST(OnnxSampleModel, ReadsAndKnowsDigits) {
    const std::string folder = std::string(RONDO_SOURCE_DIR) + "/docs/samples/digits";
    const auto graph = read_file(folder + "/digits_lstm.onnx");
    check_graph(*graph);
    EXPECT_EQ(to_string(graph->parameters().at(0)->output_shape(0)), "[?,8,8]");
    EXPECT_EQ(to_string(graph->results().at(0)->output_shape(0)), "[?,10]");
}

}  // namespace
}  // namespace rondo::onnx::real_models_test
