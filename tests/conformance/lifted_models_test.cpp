// All real models with a batch axis in front, or the op that is in the way: each row of a batch has
// the bits that the model gives for it alone.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "rondo/rondo.hpp"
#include "tests/conformance/reference_cases.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/models.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/stacked.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::lifted_models_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRows = 3;
constexpr std::size_t kSteps = 2;

// Models that are refused, and why.
const std::map<std::string, std::string> kRefused = {
    {"pyfrspell_lemma_int8", "(DynamicQuantizeLinear): there is no rule"},
    {"silero_vad_v6", "(If): the number of its axes isn't known"},
    {"t2t_rawi_int8", "(DynamicQuantizeLinear): there is no rule"},
};

Tensor dense(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.element_type() == b.element_type() && a.shape() == b.shape() &&
           (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0);
}

Tensor row_of(const Tensor& whole, std::size_t n) {
    Tensor row(whole.element_type(), Shape(whole.shape().begin() + 1, whole.shape().end()));
    if (row.byte_size() > 0) {
        std::memcpy(row.data(), static_cast<const char*>(whole.data()) + n * row.byte_size(),
                    row.byte_size());
    }
    return row;
}

class LiftedModels : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const auto models = models_dir();
        if (!models) GTEST_SKIP() << kNoModels;
        folder = fs::path(*models) / GetParam();
        if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
        model = Core().read_model((folder / "model.onnx").string());
        states = model.find_states().pairs;
    }

    // The first reference case, every row and step with other numbers.
    std::vector<Tensor> inputs_of(const Model& of, std::size_t row, std::size_t step) const {
        std::vector<Tensor> changed;
        Rng rng(row * kSteps + step);
        for (const PortInfo& port : of.inputs()) {
            const Tensor input = read_npy(reference_file(folder / "ref", 0, "in", port));
            changed.push_back(dense(input));
            if (input.element_type() != ElementType::f32) continue;
            auto* elements = changed.back().data<float>();
            for (std::size_t i = 0; i < input.size(); ++i) {
                elements[i] *= static_cast<float>(uniform(rng, 0.5, 1));
            }
        }
        return changed;
    }

    void expect_rows_as_alone(const Model& single, const Model& batch) const {
        auto together = Core().compile_model(batch).create_infer_request();
        auto compiled = Core().compile_model(single);
        std::vector<InferRequest> alone;
        for (std::size_t n = 0; n < kRows; ++n) alone.push_back(compiled.create_infer_request());
        for (std::size_t step = 0; step < kSteps; ++step) {
            std::vector<std::vector<Tensor>> rows;
            for (std::size_t n = 0; n < kRows; ++n) rows.push_back(inputs_of(single, n, step));
            for (std::size_t i = 0; i < batch.inputs().size(); ++i) {
                std::vector<Tensor> parts;
                for (const auto& row : rows) parts.push_back(row[i]);
                const bool shared =
                    batch.inputs()[i].shape.rank() == single.inputs()[i].shape.rank();
                together.set_input_tensor(i, shared ? parts[0] : stacked(parts));
            }
            together.infer();
            for (std::size_t n = 0; n < kRows; ++n) {
                for (std::size_t i = 0; i < rows[n].size(); ++i) {
                    alone[n].set_input_tensor(i, rows[n][i]);
                }
                alone[n].infer();
                for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
                    EXPECT_TRUE(same_bits(row_of(dense(together.get_output_tensor(i)), n),
                                          dense(alone[n].get_output_tensor(i))))
                        << "row " << n << ", step " << step << ", output " << i;
                }
            }
        }
    }

    fs::path folder;
    Model model;
    std::vector<std::pair<std::string, std::string>> states;
};

TEST_P(LiftedModels, GiveEachRowWhatItGetsAlone) {
    const auto refused = kRefused.find(GetParam());
    Model lifted = model.clone();
    try {
        lifted.add_batch_axis();
    } catch (const UnsupportedError& error) {
        ASSERT_NE(refused, kRefused.end()) << error.what();
        EXPECT_NE(std::string(error.what()).find(refused->second), std::string::npos)
            << error.what();
        EXPECT_EQ(lifted.to_text(), model.to_text());
        return;
    }
    EXPECT_EQ(refused, kRefused.end()) << "is no longer refused";
    expect_rows_as_alone(model, lifted);
}

TEST_P(LiftedModels, KeepAStateForEachRow) {
    if (states.empty()) GTEST_SKIP() << "has no states";
    if (kRefused.contains(GetParam())) GTEST_SKIP() << "is refused";
    Model single = model.clone();
    single.make_stateful(states);
    Model before = single.clone();
    before.add_batch_axis();
    expect_rows_as_alone(single, before);
    for (const auto& [input, output] : states) {
        // Nothing would say how many rows of its own an open state starts with.
        if (!model.input(input).shape.is_static()) return;
    }
    Model behind = model.clone();
    behind.add_batch_axis();
    behind.make_stateful(states);
    expect_rows_as_alone(single, behind);
}

INSTANTIATE_TEST_SUITE_P(Models, LiftedModels,
                         testing::Values("anr_decoder", "anr_encoder", "appledashboard_lstm",
                                         "dfn3_df_dec", "dfn3_enc", "dfn3_erb_dec", "dtln_1",
                                         "dtln_pytorch_p1", "dtln_pytorch_p2",
                                         "fw_silero_decoder_v5", "fw_silero_decoder_v6",
                                         "fw_silero_vad_v6", "gtcrn_simple", "hama_decoder_step",
                                         "hama_encoder", "libtashkeel_tract_2023_10",
                                         "piper_nakdimon", "pyfrspell_lemma_int8",
                                         "silero_vad_openvino_16k", "silero_vad_v4",
                                         "silero_vad_v6", "t2t_rawi_int8", "vietocr_encoder"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace rondo::test::lifted_models_test
