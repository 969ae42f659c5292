// `rondo quantize` as users run it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::quantize_test {
namespace {

using nlohmann::json;

TEST_F(Command, QuantisesLayersAndSaysWhatIsLost) {
    const std::string common = "quantize -m " + onnx + " --data_shape pixels[1,8,8] -o ";
    const Outcome outcome = rondo_command(common + at("int8.xml"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    for (const char* text : {"(LSTMSequence): ", " dB, ", "output 'logits': relative error ",
                             "an inference: ", "1 of 1 recurrent layer as w8r16"}) {
        EXPECT_NE(outcome.text.find(text), std::string::npos) << outcome.text;
    }
    const std::string ir = read("int8.xml");
    EXPECT_NE(ir.find("dynamic_quantization"), std::string::npos);
    EXPECT_NE(ir.find("--format w8r16"), std::string::npos);
    const Outcome explained = rondo_command("info --explain " + at("int8.xml"));
    EXPECT_NE(explained.text.find("_w8r16"), std::string::npos) << explained.text;
    const Outcome words = rondo_command(common + at("int16.xml") + " --format w16r16 --json");
    const json report = json::parse(words.text);
    EXPECT_FALSE(report["layers"][0]["quantized"]);
    EXPECT_EQ(report["layers"][0]["kept"], "too small to gain");
    EXPECT_EQ(report["outputs"][0]["relative_error"], 0.0);
}

TEST_F(Command, QuantisesToOnnx) {
    const Outcome outcome =
        rondo_command("quantize -m " + onnx + " --format w8r8 -o " + at("int8.onnx"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("--data or --data_shape measures"), std::string::npos);
    EXPECT_NE(read("int8.onnx").find("DynamicQuantizeLSTM"), std::string::npos);
    const Outcome words = rondo_command("quantize -m " + onnx + " -o " + at("words.onnx"));
    EXPECT_NE(words.text.find("note: ONNX can't say"), std::string::npos) << words.text;
}

TEST_F(Command, RefusesToQuantiseWhatIsNotThere) {
    expect_refused("quantize -m " + onnx + " -o " + at("a.xml") + " --keep lstm",
                   "there is no recurrent layer 'lstm' to keep; did you mean '/lstm/LSTM'?");
    expect_refused("quantize -m " + onnx + " -o " + at("a.xml") + " --format w4", "'w4'");
    expect_refused("quantize -m " + onnx + " -o " + at("a.txt"), "must end in .xml or .onnx");
    expect_refused("quantize -m " + onnx + " -o " + at("a.xml") + " --data nowhere.npz", "nowhere");
    EXPECT_FALSE(fs::exists(at("a.xml")));
}

}  // namespace
}  // namespace rondo::tool::quantize_test
