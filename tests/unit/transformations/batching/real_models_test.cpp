// What the proof says of real models, and that a batch of five gives what each row gives alone.

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/models.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"
#include "transformations/batching/prove_rows.hpp"

namespace rondo::test::real_models_test {
namespace {

struct RealModel {
    const char* name;
    const char* axes;  ///< of inputs, outputs and variables; or part of the obstacle
};

constexpr RealModel kModels[] = {
    {"anr_decoder", "0000|00|"},
    {"anr_encoder", "00|000|"},
    {"appledashboard_lstm", "0|0|"},
    {"dfn3_df_dec", "00|00|"},
    {"dfn3_enc", "00|0000000|"},
    {"dfn3_erb_dec", "00000|0|"},
    {"dtln_1", "00|00|"},
    {"dtln_pytorch_p1", "01111|01|"},
    {"dtln_pytorch_p2", "01111|01|"},
    {"fw_silero_decoder_v5", "01|01|"},
    {"fw_silero_decoder_v6", "111|011|"},
    {"fw_silero_vad_v6", "'/decoder/rnn/LSTM"},  // its only input is one stream's frames
    {"gtcrn_simple", "0132|0132|"},
    {"hama_decoder_step", "0000010|0100|"},
    {"hama_encoder", "'/TopK' (TopK)"},  // sorts the rows
    {"libtashkeel_tract_2023_10", "00|00|"},
    {"piper_nakdimon", "0|000|"},
    {"pyfrspell_lemma_int8", "(DynamicQuantizeLinear)"},
    {"silero_vad_openvino_16k", "01|01|"},
    {"silero_vad_v4", "0-11|011|"},
    {"silero_vad_v6", "01-|01|"},
    {"t2t_rawi_int8", "(DynamicQuantizeLinear)"},
    {"vietocr_encoder", "1|10|"},
};

std::string text_of(const BatchRows& rows) {
    if (!rows.obstacle.empty()) return rows.obstacle;
    std::string text;
    std::string kind = "input";
    for (const auto& port : rows.ports) {
        if (port.kind != kind) text += "|";
        kind = port.kind;
        text += port.axis ? std::to_string(*port.axis) : "-";
    }
    return text + "|";
}

class RealModelRows : public testing::TestWithParam<RealModel> {
protected:
    Model read() {
        const auto models = models_dir();
        const auto path =
            models ? std::filesystem::path(*models) / GetParam().name / "model.onnx" : "";
        if (!models || !std::filesystem::exists(path)) return {};
        return Core().read_model(path.string());
    }
};

TEST_P(RealModelRows, AreProvenOrRefusedByName) {
    const Model model = read();
    if (!model) GTEST_SKIP() << kNoModels;
    EXPECT_THAT(text_of(model.batch_rows()), testing::HasSubstr(GetParam().axes));
}

// Random numbers for one stream; `open` means open extents besides the rows.
Tensor input_of_stream(const PortInfo& port, std::optional<std::size_t> axis, std::int64_t open,
                       Rng& rng) {
    if (port.element_type == ElementType::i64) return scalar_of<std::int64_t>(16000);
    Shape shape;
    for (std::size_t i = 0; i < port.shape.rank(); ++i) {
        const Dimension& extent = port.shape[i];
        const std::int64_t number = axis == i ? 1 : open;
        shape.push_back(static_cast<std::size_t>(extent.is_static() ? extent.length() : number));
    }
    return random_tensor(ElementType::f32, shape, rng);
}

// Tensors one after another along an axis.
Tensor joined(const std::vector<Tensor>& parts, std::size_t axis) {
    Shape shape = parts[0].shape();
    std::size_t outer = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    shape[axis] *= parts.size();
    Tensor whole(parts[0].element_type(), shape);
    auto* to = static_cast<char*>(whole.data());
    const std::size_t bytes = parts[0].byte_size() / outer;
    for (std::size_t i = 0; i < outer; ++i) {
        for (const Tensor& part : parts) {
            std::memcpy(to, static_cast<const char*>(part.data()) + i * bytes, bytes);
            to += bytes;
        }
    }
    return whole;
}

std::vector<Tensor> infer(InferRequest& request, const std::vector<Tensor>& inputs,
                          std::size_t count) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor result = request.get_output_tensor(i).contiguous();
        outputs.emplace_back(result.element_type(), result.shape());
        result.copy_to(outputs.back());
    }
    return outputs;
}

// Those that take chunks of live streams, with an extent for their open axes.
const std::map<std::string, std::int64_t> kStreaming = {
    {"dtln_1", 1},
    {"dtln_pytorch_p1", 1},
    {"dtln_pytorch_p2", 1},
    {"gtcrn_simple", 1},
    {"dfn3_enc", 3},
    {"dfn3_erb_dec", 3},
    {"dfn3_df_dec", 3},
    {"silero_vad_openvino_16k", 1},
    {"silero_vad_v4", 512},
    {"silero_vad_v6", 576},
    {"fw_silero_decoder_v5", 1},
    {"fw_silero_decoder_v6", 2},
};

TEST_P(RealModelRows, GiveInABatchWhatTheyGiveAlone) {
    const auto open = kStreaming.find(GetParam().name);
    if (open == kStreaming.end()) GTEST_SKIP() << "not for streams";
    const Model model = read();
    if (!model) GTEST_SKIP() << kNoModels;
    const BatchRows rows = model.batch_rows();
    Model batched = model.clone();
    batched.set_batch(Dimension());
    auto one = Core().compile_model(batched).create_infer_request();
    auto many = Core().compile_model(batched).create_infer_request();
    Rng rng = test_rng();
    const auto ports = model.inputs();
    constexpr std::size_t kRows = 5;
    std::vector<std::vector<Tensor>> inputs(ports.size()), outputs(model.outputs().size());
    for (std::size_t row = 0; row < kRows; ++row) {
        std::vector<Tensor> own;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            own.push_back(input_of_stream(ports[i], rows.ports[i].axis, open->second, rng));
            inputs[i].push_back(own.back());
        }
        const auto results = infer(one, own, outputs.size());
        for (std::size_t i = 0; i < results.size(); ++i) outputs[i].push_back(results[i]);
    }
    std::vector<Tensor> batch;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const auto axis = rows.ports[i].axis;
        batch.push_back(axis ? joined(inputs[i], *axis) : inputs[i][0]);
    }
    const auto results = infer(many, batch, outputs.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto axis = rows.ports[ports.size() + i].axis;
        ASSERT_TRUE(axis);
        expect_same(results[i], joined(outputs[i], *axis));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, RealModelRows, testing::ValuesIn(kModels),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rondo::test::real_models_test
