// Real third-party models give their reference outputs: on every device, from ONNX and from IR.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "rondo/rondo.hpp"
#include "tests/support/models.hpp"
#include "tests/support/npy.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

// Models that compute in 8 or 16 bits say how far apart right answers may be.
struct Tolerance {
    double absolute = 1e-4;
    double relative = 0;
};

Tolerance tolerance_of(const fs::path& folder) {
    std::ifstream file(folder / "manifest.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("\"loose_atol\": ([0-9.e-]+)"))) return {};
    return {std::stod(found[1]), 1e-3};
}

// "a/b:0" -> "a_b_0", as the reference files are named.
std::string plain(const std::string& name) {
    std::string result;
    for (const char c : name) {
        const bool keeps =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
        result += keeps ? c : '_';
    }
    return result;
}

std::string file_of(const fs::path& folder, int number, const char* kind, const PortInfo& port) {
    return (folder /
            ("case" + std::to_string(number) + "_" + kind + "_" + plain(port.any_name()) + ".npy"))
        .string();
}

// Runs every case that there is; returns how many.
int expect_reference_outputs(CompiledModel& model, const fs::path& folder) {
    const Tolerance tolerance = tolerance_of(folder);
    int number = 0;
    for (; fs::exists(file_of(folder, number, "out", model.outputs()[0])); ++number) {
        InferRequest request = model.create_infer_request();
        for (std::size_t i = 0; i < model.inputs().size(); ++i) {
            request.set_input_tensor(i, read_npy(file_of(folder, number, "in", model.inputs()[i])));
        }
        request.infer();
        for (std::size_t i = 0; i < model.outputs().size(); ++i) {
            SCOPED_TRACE("case " + std::to_string(number) + ", output " +
                         model.outputs()[i].any_name());
            expect_near(request.get_output_tensor(i),
                        read_npy(file_of(folder, number, "out", model.outputs()[i])),
                        tolerance.absolute, tolerance.relative);
        }
    }
    return number;
}

class RealModels : public ::testing::TestWithParam<const char*> {};

TEST_P(RealModels, GiveTheirReferenceOutputs) {
    const auto models = models_dir();
    if (!models) GTEST_SKIP() << kNoModels;
    const fs::path folder = fs::path(*models) / GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
    Core core;
    Model model = core.read_model((folder / "model.onnx").string());
    core.transform(model);
    const std::string compiled = ::testing::TempDir() + GetParam() + ".xml";
    save_model(model, compiled);
    for (const auto& path : {(folder / "model.onnx").string(), compiled}) {
        for (const char* device : {"CPU", "REFERENCE"}) {
            SCOPED_TRACE(path + " on " + device);
            CompiledModel ready = core.compile_model(path, device);
            EXPECT_GE(expect_reference_outputs(ready, folder / "ref"), 2);
        }
    }
}

std::string output_bytes(CompiledModel& model, const fs::path& folder) {
    InferRequest request = model.create_infer_request();
    for (std::size_t i = 0; i < model.inputs().size(); ++i) {
        request.set_input_tensor(i, read_npy(file_of(folder, 0, "in", model.inputs()[i])));
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
    const auto models = models_dir();
    if (!models) GTEST_SKIP() << kNoModels;
    const fs::path folder = fs::path(*models) / GetParam();
    if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
    const std::string path = (folder / "model.onnx").string();
    const fs::path cache = fs::path(::testing::TempDir()) / (std::string("cache_") + GetParam());
    fs::remove_all(cache);
    const Properties cached{{property::kCacheDir, cache.string()}};
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
    fs::remove_all(cache);
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
}  // namespace rondo::test
