// Real models with states: which ones are found, and that a model that keeps them gives what it
// gives with its states fed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include "rondo/rondo.hpp"
#include "tests/conformance/reference_cases.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/models.hpp"
#include "tests/support/state_steps.hpp"

namespace rondo::test::stateful_models_test {
namespace {

namespace fs = std::filesystem;

struct StatefulCase {
    const char* model;
    StateNames pairs;
    const char* refusal = "";   ///< of make_stateful() without pairs
    const char* unpaired = "";  ///< part of a reason
};

const StatefulCase kCases[] = {
    {"anr_decoder", {{"hidden", "hidden_out"}}},
    {"anr_encoder", {}, "runs backwards", "output 'hidden_out'"},
    {"appledashboard_lstm", {}, "runs backwards"},
    {"dfn3_df_dec", {}},
    {"dfn3_enc", {}},
    {"dfn3_erb_dec", {}},
    {"dtln_1", {{"input_3", "tf_op_layer_stack_2"}}},
    {"dtln_pytorch_p1",
     {{"h1_in", "out_state1[0]"},
      {"c1_in", "out_state1[1]"},
      {"h2_in", "out_state1[2]"},
      {"c2_in", "out_state1[3]"}}},
    {"dtln_pytorch_p2",
     {{"h1_in", "out_state2[0]"},
      {"c1_in", "out_state2[1]"},
      {"h2_in", "out_state2[2]"},
      {"c2_in", "out_state2[3]"}}},
    {"fw_silero_decoder_v5", {{"state", "35"}}},
    {"fw_silero_decoder_v6", {{"h", "70"}, {"c", "71"}}},
    {"fw_silero_vad_v6", {{"h", "hn"}, {"c", "cn"}}},
    {"gtcrn_simple",
     {{"conv_cache", "conv_cache_out"},
      {"tra_cache", "tra_cache_out"},
      {"inter_cache", "inter_cache_out"}}},
    {"hama_decoder_step", {{"hidden", "hidden_out"}, {"prev_attn", "prev_attn_out"}}},
    {"hama_encoder", {}, "runs backwards"},
    {"libtashkeel_tract_2023_10", {}, "runs backwards"},
    {"piper_nakdimon", {}, "its state can't be kept"},
    {"pyfrspell_lemma_int8", {}, "runs backwards"},
    {"silero_vad_openvino_16k", {{"state", "stateN"}}},
    {"silero_vad_v4", {{"h", "hn"}, {"c", "cn"}}},
    {"silero_vad_v6", {{"state", "stateN"}}},
    {"t2t_rawi_int8", {}, "runs backwards"},
    {"vietocr_encoder", {}, "runs backwards"},
};

class StatefulModels : public ::testing::TestWithParam<StatefulCase> {
protected:
    void SetUp() override {
        const auto models = models_dir();
        if (!models) GTEST_SKIP() << kNoModels;
        folder = fs::path(*models) / GetParam().model;
        if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
        model = Core().read_model((folder / "model.onnx").string());
    }

    Tensor input_of(int number, const std::string& name) const {
        return read_npy(reference_file(folder / "ref", number, "in", model.input(name)));
    }

    bool has_case(int number) const {
        return fs::exists(reference_file(folder / "ref", number, "in", model.inputs()[0]));
    }

    // Three steps of a case's inputs, each a little different, from states of zeros.
    void read_inputs(int number) {
        for (const PortInfo& port : model.inputs()) {
            const std::string& name = port.any_name();
            const bool is_state = std::any_of(GetParam().pairs.begin(), GetParam().pairs.end(),
                                              [&](const auto& pair) { return pair.first == name; });
            const Tensor tensor = input_of(number, name);
            if (is_state) zeros[name] = Tensor(tensor.element_type(), tensor.shape());
            for (std::size_t i = 0; i < steps.size() && !is_state; ++i) {
                steps[i][name] = copy_of(tensor);
                if (tensor.element_type() != ElementType::f32 || tensor.size() == 0) continue;
                auto* elements = steps[i][name].data<float>();
                for (std::size_t at = i; at < tensor.size(); at += 3) elements[at] *= 0.75F;
            }
        }
    }

    fs::path folder;
    Model model;
    NamedTensors zeros;
    std::vector<NamedTensors> steps = std::vector<NamedTensors>(3);
};

TEST_P(StatefulModels, AreFound) {
    const StateSearch found = model.find_states();
    EXPECT_THAT(found.pairs, ::testing::UnorderedElementsAreArray(GetParam().pairs));
    const std::string unpaired = GetParam().unpaired;
    if (!unpaired.empty()) {
        EXPECT_THAT(found.unpaired, ::testing::Contains(::testing::HasSubstr(unpaired)));
    }
    const std::string refusal = GetParam().refusal;
    try {
        model.make_stateful();
        EXPECT_EQ(refusal, "");
    } catch (const Error& error) {
        EXPECT_NE(refusal, "") << error.what();
        EXPECT_THAT(error.what(), ::testing::HasSubstr(refusal));
    }
}

// With other rows in some cases: the states must start with as many.
TEST_P(StatefulModels, KeepTheirStatesToTheBit) {
    if (GetParam().pairs.empty()) return;
    Model kept = model.clone();
    kept.make_stateful(GetParam().pairs);
    Core core;
    Model simplified = kept.clone();
    core.transform(simplified);
    const std::string written = temporary_path("stateful.xml");
    save_model(simplified, written);
    const Model read = core.read_model(written);
    EXPECT_EQ(read.to_text(), simplified.to_text());
    for (int number = 0; has_case(number); ++number) {
        SCOPED_TRACE("case " + std::to_string(number));
        read_inputs(number);
        const auto by_hand = steps_by_hand(model, "CPU", GetParam().pairs, zeros, steps);
        expect_same_steps(steps_of(kept, "CPU", steps), by_hand);
        expect_same_steps(steps_of(read, "CPU", steps), by_hand);
        expect_same_steps(steps_of(kept, "REFERENCE", steps), by_hand, 2e-3);
    }
}

// The first inference is that of the model as it was; the second one goes on.
TEST_P(StatefulModels, HiddenStatesStartAsBefore) {
    if (!GetParam().pairs.empty() || *GetParam().refusal != '\0') return;
    read_inputs(0);
    steps[1] = steps[0];
    Model kept = model.clone();
    kept.make_stateful();
    const auto expected = steps_of(model, "CPU", steps);
    const auto found = steps_of(kept, "CPU", steps);
    expect_same_steps({found[0]}, {expected[0]});
    std::size_t changed = 0;
    for (const auto& [name, tensor] : found[0]) {
        const Tensor& next = found[1].at(name);
        const auto* bytes = static_cast<const std::byte*>(tensor.data());
        changed += std::equal(bytes, bytes + tensor.byte_size(),
                              static_cast<const std::byte*>(next.data()))
                       ? 0
                       : 1;
    }
    EXPECT_GT(changed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Models, StatefulModels, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.model); });

}  // namespace
}  // namespace rondo::test::stateful_models_test
