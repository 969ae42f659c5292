// Real third-party models give their reference outputs: on every device, from ONNX and from IR.
#include <gtest/gtest.h>

#include <filesystem>

#include "rondo/rondo.hpp"
#include "tests/conformance/reference_cases.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/models.hpp"

namespace rondo::test::real_models_test {
namespace {

namespace fs = std::filesystem;

class RealModels : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const auto models = models_dir();
        if (!models) GTEST_SKIP() << kNoModels;
        folder = fs::path(*models) / GetParam();
        if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
    }

    fs::path folder;
};

TEST_P(RealModels, GiveTheirReferenceOutputs) {
    Core core;
    Model model = core.read_model((folder / "model.onnx").string());
    core.transform(model);
    const std::string compiled = temporary_path("model.xml");
    save_model(model, compiled);
    for (const auto& path : {(folder / "model.onnx").string(), compiled}) {
        for (const char* device : {"CPU", "REFERENCE"}) {
            SCOPED_TRACE(path + " on " + device);
            CompiledModel ready = core.compile_model(path, device);
            EXPECT_GE(expect_reference_outputs(ready, folder / "ref"), 2);
        }
    }
}

// Each as it is, and simplified.
TEST_P(RealModels, GiveThemWrittenAsOnnx) {
    Core core;
    Model model = core.read_model((folder / "model.onnx").string());
    for (const bool simplified : {false, true}) {
        if (simplified) core.transform(model);
        const std::string written = temporary_path("written.onnx");
        save_model(model, written);
        for (const char* device : {"CPU", "REFERENCE"}) {
            SCOPED_TRACE(written + " on " + device);
            CompiledModel ready = core.compile_model(written, device);
            EXPECT_GE(expect_reference_outputs(ready, folder / "ref"), 2);
        }
    }
}

std::string output_bytes(CompiledModel& model, const fs::path& folder) {
    InferRequest request = model.create_infer_request();
    for (std::size_t i = 0; i < model.inputs().size(); ++i) {
        request.set_input_tensor(i, read_npy(reference_file(folder, 0, "in", model.inputs()[i])));
    }
    request.infer();
    std::string bytes;
    for (std::size_t i = 0; i < model.outputs().size(); ++i) {
        const Tensor tensor = request.get_output_tensor(i);
        bytes.append(static_cast<const char*>(std::as_const(tensor).data()), tensor.byte_size());
    }
    return bytes;
}

TEST_P(RealModels, GiveTheSameBitsFromTheCache) {
    const std::string path = (folder / "model.onnx").string();
    const TemporaryFolder cache;
    const Properties cached{{property::kCacheDir, cache.path()}};
    const Core core;
    CompiledModel plain = core.compile_model(path);
    const std::string expected = output_bytes(plain, folder / "ref");
    for (const char* from_cache : {"NO", "YES"}) {
        CompiledModel model = core.compile_model(path, "CPU", cached);
        EXPECT_EQ(model.get_property(property::kLoadedFromCache), from_cache);
        EXPECT_TRUE(output_bytes(model, folder / "ref") == expected);
    }
    const Model read = core.read_model(path);
    for (const char* from_cache : {"NO", "YES"}) {
        CompiledModel model = core.compile_model(read, "CPU", cached);
        EXPECT_EQ(model.get_property(property::kLoadedFromCache), from_cache);
        EXPECT_TRUE(output_bytes(model, folder / "ref") == expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, RealModels,
                         ::testing::Values("anr_decoder", "anr_encoder", "appledashboard_lstm",
                                           "dfn3_df_dec", "dfn3_enc", "dfn3_erb_dec", "dtln_1",
                                           "dtln_pytorch_p1", "dtln_pytorch_p2",
                                           "fw_silero_decoder_v5", "fw_silero_decoder_v6",
                                           "fw_silero_vad_v6", "gtcrn_simple", "hama_decoder_step",
                                           "hama_encoder", "libtashkeel_tract_2023_10",
                                           "piper_nakdimon", "pyfrspell_lemma_int8",
                                           "silero_vad_openvino_16k", "silero_vad_v4",
                                           "silero_vad_v6", "t2t_rawi_int8", "vietocr_encoder"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace rondo::test::real_models_test
