// The rondo command as users run it: arguments in, files, text and exit codes out.
#include <regex>

#include "tests/support/tensors.hpp"
#include "tests/unit/tools/rondo/command.hpp"
#include "tools/rondo/inputs/npy.hpp"
#include "tools/rondo/version.hpp"

namespace rondo::tool::command_test {
namespace {

TEST_F(Command, ShowsAndSetsTheBatch) {
    const Outcome shown = rondo_command("info --rows " + onnx);
    EXPECT_NE(shown.text.find("The rows of a batch are independent"), std::string::npos)
        << shown.text;
    EXPECT_NE(shown.text.find("input     axis 0  pixels"), std::string::npos) << shown.text;
    const Outcome json = rondo_command("info --rows --json " + onnx);
    EXPECT_TRUE(std::regex_search(json.text, std::regex("\"independent\": ?true"))) << json.text;
    expect_refused("info --why x --json " + onnx, "--why excludes --json");
    expect_refused("info --text --json " + onnx, "--text excludes --json");
    expect_refused("info --rows --graph g.svg " + onnx, "excludes");
    expect_refused("info --why x --explain " + onnx, "excludes");
    expect_refused("info --coverage --text " + onnx, "excludes");
    ASSERT_EQ(rondo_command("compile " + onnx + " --batch 7 -o " + at("m.xml")).exit_code, 0);
    EXPECT_NE(rondo_command("info " + at("m.xml")).text.find("pixels  f32[7,8,8]"),
              std::string::npos);
    for (const std::string batch : {"1,2", "0", "many"}) {
        expect_refused("compile " + onnx + " --batch " + batch + " -o " + at("m.xml"),
                       "--batch is '" + batch + "'; expected a number from 1 on, or ? for any");
    }
}

TEST_F(Command, AddsABatchAxis) {
    const std::string compile = "compile " + onnx + " -o " + at("m.xml");
    ASSERT_EQ(rondo_command(compile + " --batch-axis 7").exit_code, 0);
    EXPECT_NE(rondo_command("info " + at("m.xml")).text.find("pixels  f32[7,"), std::string::npos);
    expect_refused(compile + " --batch-axis 1,2", "--batch-axis is '1,2'");
}

TEST_F(Command, CompilesAndRuns) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    EXPECT_EQ(read("m.xml").substr(0, 21), "<?xml version=\"1.0\"?>");
    for (const auto& model : {onnx, at("m.xml")}) {
        for (const char* device : {"CPU", "REFERENCE"}) {
            const Outcome outcome =
                rondo_command("run -m " + model + " -d " + device + " -i pixels=" + sample +
                              "test_pixels.npy -o " + at("out"));
            ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
            EXPECT_EQ(read_npy(at("out/logits.npy")).shape(), (Shape{360, 10}));
        }
    }
}

TEST_F(Command, MakesModelsStateful) {
    const Outcome made =
        rondo_command("compile " + onnx + " -o " + at("m.xml") + " --stateful auto");
    ASSERT_EQ(made.exit_code, 0) << made.text;
    EXPECT_NE(made.text.find("variable '"), std::string::npos) << made.text;
    const Outcome shown = rondo_command("info " + at("m.xml"));
    EXPECT_NE(shown.text.find("Variables\n"), std::string::npos) << shown.text;
    EXPECT_NE(rondo_command("info --json " + at("m.xml")).text.find("\"starts_computed\""),
              std::string::npos);
    expect_refused("compile " + onnx + " -o " + at("n.xml") + " --stateful x:y",
                   "--stateful: 'x:y' is not a pair of the model");
}

TEST_F(Command, WritesHalfPrecisionWeights) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("a.xml")).exit_code, 0);
    const Outcome half = rondo_command("compile " + onnx + " -o " + at("b.xml --weights f16"));
    ASSERT_EQ(half.exit_code, 0);
    EXPECT_TRUE(std::regex_search(half.text, std::regex("[.]bin: [0-9]+ nodes, 77.4 kB of "
                                                        "constants, stored as f16 in [34]")))
        << half.text;
    EXPECT_LT(fs::file_size(folder / "b.bin"), fs::file_size(folder / "a.bin") * 6 / 10);
    const std::string shapes = " -data_shape \"pixels[3,8,8]\"";
    const Outcome same = rondo_command("compare -m " + at("b.xml") + shapes);
    EXPECT_EQ(same.exit_code, 0) << same.text;
    // Half the digits of the weights are gone: equal within 1e-2, not within 1e-7.
    const std::string both = "compare -m " + at("b.xml") + " -ref_model " + at("a.xml") + shapes;
    EXPECT_EQ(rondo_command(both + " --atol 1e-2").exit_code, 0);
    const Outcome different = rondo_command(both + " --atol 1e-7 --rtol 0");
    EXPECT_EQ(different.exit_code, 1);
    EXPECT_NE(different.text.find("past the tolerance, first at [0,0]"), std::string::npos)
        << different.text;
}

TEST_F(Command, NamesTheFirstNodeThatDiffers) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("a.xml")).exit_code, 0);
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("b.xml --weights f16")).exit_code, 0);
    const std::string shapes = " --layers -data_shape \"pixels[3,8,8]\"";
    const Outcome same = rondo_command("compare -m " + at("a.xml") + shapes);
    EXPECT_EQ(same.exit_code, 0) << same.text;
    EXPECT_NE(same.text.find("outputs of nodes compared\nno node differs\n"), std::string::npos)
        << same.text;
    const std::string both = "compare -m " + at("b.xml") + " -ref_model " + at("a.xml") + shapes +
                             " --atol 1e-7 --rtol 0";
    const Outcome different = rondo_command(both);
    EXPECT_EQ(different.exit_code, 1);
    EXPECT_NE(different.text.find("first node that differs: '"), std::string::npos);
    EXPECT_NE(different.text.find("' (LSTMSequence) f32["), std::string::npos) << different.text;
    EXPECT_NE(different.text.find("b.xml on CPU DIFFERS from a.xml on REFERENCE"),
              std::string::npos)
        << different.text;
    const Outcome json = rondo_command(both + " --json");
    EXPECT_NE(json.text.find("\"largest\": \"["), std::string::npos) << json.text;
    EXPECT_NE(json.text.find("\"first\": \""), std::string::npos) << json.text;
}

// The layer keeps its weights at 16 bits and says so.
TEST_F(Command, LayersTakeCompressedWeightsAsTheyAre) {
    for (const std::string type : {"f16", "bf16"}) {
        const std::string file = at(type + ".xml");
        ASSERT_EQ(rondo_command("compile " + onnx + " -o " + file + " --weights " + type).exit_code,
                  0);
        const Outcome same = rondo_command("compare -m " + file + " -data_shape \"pixels[3,8,8]\"");
        EXPECT_EQ(same.exit_code, 0) << same.text;
        const Outcome explained = rondo_command("info " + file + " --explain");
        EXPECT_NE(explained.text.find("_" + type + "w"), std::string::npos) << explained.text;
    }
}

TEST_F(Command, PrintsAndDumpsPasses) {
    const std::string compile = "compile " + onnx + " -o " + at("m.xml");
    const Outcome printed = rondo_command(compile + " --print-passes --validate-passes");
    EXPECT_EQ(printed.exit_code, 0);
    EXPECT_NE(printed.text.find("fold_constants"), std::string::npos) << printed.text;
    const Outcome dumped = rondo_command(compile + " --dump-after fold_constants");
    EXPECT_NE(dumped.text.find("LSTMSequence-opset5("), std::string::npos) << dumped.text;
    expect_refused(compile + " --dump-after no_such_pass", "no_such_pass");
}

TEST_F(Command, SaysWhatBecameOfANode) {
    const Outcome listed = rondo_command("info " + onnx + " --json");
    const std::string key = "\"name\": \"";
    const auto layers = listed.text.find("recurrent_layers");
    const auto begin = listed.text.find(key, layers) + key.size();
    const std::string layer = listed.text.substr(begin, listed.text.find('"', begin) - begin);
    const Outcome why = rondo_command("info " + onnx + " --why \"" + layer + "\"");
    EXPECT_EQ(why.exit_code, 0) << why.text;
    EXPECT_NE(why.text.find("the file makes it: LSTMSequence"), std::string::npos) << why.text;
    EXPECT_NE(why.text.find("CPU runs LSTMSequence on lstm_"), std::string::npos) << why.text;
    expect_refused("info " + onnx + " --why nothing", "no op has that name; there are: '");
}

TEST_F(Command, ShowsAModel) {
    const Outcome text = rondo_command("info " + onnx + " --explain");
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_NE(text.text.find("pixels  f32[?,8,8]"), std::string::npos) << text.text;
    EXPECT_TRUE(std::regex_search(text.text, std::regex("LSTMSequence  forward +8 +64 ")))
        << text.text;
    EXPECT_NE(text.text.find("lstm_"), std::string::npos) << text.text;
    EXPECT_TRUE(std::regex_search(rondo_command("info --text " + onnx).text,
                                  std::regex("'[^']*Gather[^']*' : i64.* = Const-.*[}] = 0\n")));
    ASSERT_EQ(rondo_command("info " + onnx + " --graph " + at("g.dot")).exit_code, 0);
    EXPECT_NE(read("g.dot").find("LSTMSequence"), std::string::npos);
    const Outcome json = rondo_command("info " + onnx + " --json");
    EXPECT_EQ(json.text.front(), '{');
}

// Weights that came with less precision than they are computed in.
TEST_F(Command, TellsWhichModelsOfAFolderRun) {
    fs::create_directories(folder / "deeper");
    fs::copy(onnx, folder / "deeper" / "digits.onnx");
    write("broken.onnx", read("deeper/digits.onnx").substr(0, 1000));
    const Outcome all = rondo_command("info --coverage " + folder.string());
    EXPECT_EQ(all.exit_code, 1);
    EXPECT_TRUE(std::regex_search(
        all.text, std::regex("broken.onnx +no +can't be parsed as an ONNX model.*\\n.*"
                             "digits.onnx +runs +\\d+ operations, 1 recurrent layer\\n"
                             "1 of 2 models run\\n$")))
        << all.text;
    const Outcome one = rondo_command("info " + onnx + " " + at("deeper") + " -coverage -json");
    EXPECT_EQ(one.exit_code, 0) << one.text;
    EXPECT_NE(one.text.find("\"runs\": true"), std::string::npos) << one.text;
    expect_refused("info -coverage " + at("nothing"), "there is no file or folder");
    fs::create_directories(folder / "empty");
    expect_refused("info -coverage " + at("empty"), "has no .onnx or .xml file");
    expect_refused("info " + onnx + " " + onnx, "info shows one model");
}

TEST_F(Command, TellsWhatPrecisionWasLost) {
    const std::string fixture = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model";
    fs::copy_file(fixture + ".bin", folder / "m.bin");
    fs::copy_file(fixture + ".xml", folder / "m.xml");
    std::string xml = read("m.xml");
    const auto at_layer = xml.find("<input>", xml.find("LSTMSequence"));
    ASSERT_NE(at_layer, std::string::npos);
    write("m.xml", xml.insert(at_layer,
                              "<rt_info><attribute name=\"precision\" version=\"0\" "
                              "value=\"W i8: dequantized\" /></rt_info>"));
    const Outcome shown = rondo_command("info " + at("m.xml"));
    EXPECT_NE(shown.text.find("tanh, tanh, W i8: dequantized)"), std::string::npos) << shown.text;
    const Outcome compiled = rondo_command("compile " + at("m.xml") + " -o " + at("c.xml"));
    EXPECT_NE(compiled.text.find("note: 'lstm' (LSTMSequence): W i8: dequantized\n"),
              std::string::npos)
        << compiled.text;
}

TEST_F(Command, WritesWhatOpenvinoReads) {
    const std::string fixture = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model";
    fs::copy_file(fixture + ".bin", folder / "m.bin");
    fs::copy_file(fixture + ".xml", folder / "m.xml");
    const std::string own = std::regex_replace(
        std::regex_replace(read("m.xml"), std::regex("opset5"), "rondo1"),
        std::regex("activations=\"sigmoid, tanh"), "activations=\"sigmoid, softsign");
    write("m.xml", own);
    const std::string compile = "compile " + at("m.xml") + " -o " + at("c.xml");
    ASSERT_EQ(rondo_command(compile).exit_code, 0);
    EXPECT_NE(read("c.xml").find("version=\"rondo1\""), std::string::npos);
    const Outcome outcome = rondo_command(compile + " --for openvino --print-passes");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("cell_decomposition: changed"), std::string::npos) << outcome.text;
    EXPECT_EQ(read("c.xml").find("rondo1"), std::string::npos);
    EXPECT_EQ(rondo_command("compare -m " + at("c.xml") + " -ref_model " + at("m.xml")).exit_code,
              0);
    expect_refused(compile + " --for tflite",
                   "compile: --for: unknown 'tflite'; there are: 'ir', 'onnx', 'openvino'");
}

// Each shape is a stream of its own: a state of one row doesn't prevent two rows.
TEST_F(Command, WorksOnModelsWithVariables) {
    const std::string stateful = RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml";
    ASSERT_EQ(rondo_command("compile " + stateful + " -o " + at("c.xml")).exit_code, 0);
    const Outcome compared = rondo_command("compare -m " + at("c.xml") + " -ref_model " + stateful +
                                           " -data_shape \"x[2,5,3]\"");
    EXPECT_EQ(compared.exit_code, 0) << compared.text;
    for (const std::string api : {"sync", "async"}) {
        const Outcome outcome = rondo_command("benchmark -m " + at("c.xml") + " -api " + api +
                                              " -data_shape \"x[1,4,3][2,4,3]\" -niter 10");
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    }
}

TEST_F(Command, MakesModelsStreaming) {
    const std::string model = RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml";
    const std::string compile = "compile " + model + " -o " + at("c.xml") + " --streaming ";
    for (const std::string axes : {"auto", "x:1", "x:-2"}) {
        EXPECT_EQ(rondo_command(compile + axes).exit_code, 0);
        EXPECT_NE(read("c.xml").find("rondo_time_axis"), std::string::npos);
    }
    expect_refused(compile + "x:1y", "'x:1y' is not input:axis");
    expect_refused(compile + "x:7", "no axis 7");
}

TEST_F(Command, ATruncatedOnnxFileIsRefused) {
    std::ifstream file(onnx, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    write("cut.onnx", bytes.substr(0, bytes.size() / 2));
    expect_refused("compile " + at("cut.onnx") + " -o " + at("m.xml"), "cut.onnx: ");
    EXPECT_FALSE(fs::exists(folder / "m.xml"));
}

TEST_F(Command, ATruncatedWeightsFileIsRefused) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    fs::resize_file(folder / "m.bin", fs::file_size(folder / "m.bin") / 2);
    expect_refused("info " + at("m.xml"), "m.bin");
}

TEST_F(Command, AnEdgeToAMissingLayerIsRefused) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    std::string xml = read("m.xml");
    const auto edge = xml.find("from-layer=\"0\"");
    ASSERT_NE(edge, std::string::npos);
    write("m.xml", xml.replace(edge, 14, "from-layer=\"977\""));
    expect_refused("info " + at("m.xml"), "977");
}

TEST_F(Command, WrongInputsAreRefused) {
    write_npy(at("wide.npy"), Tensor(ElementType::f32, {1, 8, 9}));
    const std::string run = "run -m " + onnx + " -o " + at("out");
    expect_refused(run + " -i pixels=" + at("wide.npy"),
                   "input 'pixels': " + at("wide.npy") + " holds f32[1,8,9]; expected f32[?,8,8]");
    expect_refused(run, "missing inputs: 'pixels' f32[?,8,8]");
    expect_refused(run + " -i image=" + at("wide.npy"), "no input 'image'; there are: 'pixels'");
    expect_refused(run + " -i pixels=" + at("none.npy"), "none.npy: can't read");
    for (const std::string& command : {run, "compare -m " + onnx}) {
        for (const char* input : {" -i /tmp", " -i pixels=/tmp"}) {
            expect_refused(command + input, "/tmp: can't read the file: it is not a regular file");
        }
    }
}

TEST_F(Command, InputsComeThroughPipes) {
    const std::string run = "run -m " + onnx + " -o " + at("out") + " -i pixels=/dev/stdin < ";
    const std::string pixels = sample + "test_pixels.npy";
    EXPECT_EQ(rondo_command(run + pixels).exit_code, 0);
    EXPECT_EQ(rondo_command(run + "/dev/null; cat " + pixels + " | " RONDO_COMMAND " run -m " +
                            onnx + " -o " + at("out") + " -i pixels=/dev/stdin")
                  .exit_code,
              0);
}

TEST_F(Command, AnUnknownDeviceIsRefused) {
    expect_refused(
        "run -m " + onnx + " -d NPU -i pixels=" + sample + "test_pixels.npy -o " + at("out"),
        "unknown device 'NPU'; there are: 'CPU', 'REFERENCE'");
}

TEST_F(Command, PropertiesReachTheDevice) {
    const std::string run =
        "run -m " + onnx + " -i pixels=" + sample + "test_pixels.npy -o " + at("out") + " ";
    expect_refused(run + "-p NUM_STREAM=2",
                   "has no property 'NUM_STREAM'; "
                   "did you mean 'NUM_STREAMS'? There are: ");
    expect_refused(run + "-p NUM_STREAMS=two",
                   "'NUM_STREAMS': got 'two'; expected AUTO for the device's own choice");
    expect_refused(run + "-p NUM_STREAMS", "expected NAME=VALUE");
    EXPECT_EQ(rondo_command(run + "-p NUM_STREAMS=2 -p PERF_COUNT=YES").exit_code, 0);
    const std::string benchmark =
        "benchmark -m " + onnx + " -niter 2 -data_shape \"pixels[1,8,8]\" -cdir " + at("cache");
    EXPECT_EQ(rondo_command(benchmark).text.find("from the cache"), std::string::npos);
    EXPECT_NE(rondo_command(benchmark).text.find("from the cache"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "cache"));
}

TEST_F(Command, CompilesToOnnx) {
    for (const std::string& target : {std::string("m.onnx"), std::string("m.bin --for onnx")}) {
        const Outcome outcome = rondo_command("compile " + onnx + " -o " + at(target));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
        EXPECT_NE(outcome.text.find(" nodes, "), std::string::npos) << outcome.text;
        EXPECT_EQ(outcome.text.find(".bin: ") == std::string::npos, target == "m.onnx");
        const std::string written = at(target.substr(0, target.find(' ')));
        const Outcome same = rondo_command("compare -m " + written + " -d CPU -ref REFERENCE " +
                                           "-data_shape \"pixels[1,8,8]\"");
        EXPECT_EQ(same.exit_code, 0) << same.text;
    }
    expect_refused("compile " + onnx + " -o m.onnx --for ir", "an IR must end in .xml");
}

TEST_F(Command, ShowsAModelForGivenShapes) {
    const Outcome open = rondo_command("info --explain " + onnx);
    EXPECT_NE(open.text.find("N=1, T=100 would run as "), std::string::npos) << open.text;
    const std::string shapes = " --data_shape \"pixels[3,8,8]\"";
    const Outcome known = rondo_command("info --explain " + onnx + shapes);
    EXPECT_EQ(known.exit_code, 0) << known.text;
    EXPECT_NE(known.text.find("pixels  f32[3,8,8]"), std::string::npos) << known.text;
    EXPECT_EQ(known.text.find(" would run as "), std::string::npos) << known.text;
    const Outcome why = rondo_command("info --why /lstm/LSTM " + onnx + shapes);
    EXPECT_EQ(why.text.find(" would run as "), std::string::npos) << why.text;
    expect_refused("info " + onnx + " -data_shape \"pixels[3,8\"", "lacks a ]");
}

TEST_F(Command, AnIrSaysWhereItComesFrom) {
    const std::string compile = "compile " + onnx + " -o " + at("m.xml");
    ASSERT_EQ(rondo_command(compile + " --weights f16 --batch 2").exit_code, 0);
    const Outcome shown = rondo_command("info " + at("m.xml"));
    EXPECT_NE(shown.text.find("  rondo/options  --batch 2 --weights f16\n"
                              "  rondo/source  digits_lstm.onnx\n"
                              "  rondo/version  " +
                              version_and_commit() + "\n"),
              std::string::npos)
        << shown.text;
    EXPECT_NE(rondo_command("info --json " + at("m.xml"))
                  .text.find("\"rondo/source\": \"digits_lstm.onnx\""),
              std::string::npos);
    // The last command's alone.
    ASSERT_EQ(rondo_command("compile " + at("m.xml") + " -o " + at("n.xml")).exit_code, 0);
    EXPECT_NE(rondo_command("info --json " + at("n.xml")).text.find("\"rondo/options\": \"\""),
              std::string::npos);
}

TEST_F(Command, AnIrSaysWhereItComesFromInUtf8) {
    const std::string source = at("caf\xe9\x01.onnx");
    fs::copy_file(onnx, source);
    ASSERT_EQ(rondo_command("compile " + source + " -o " + at("m.xml")).exit_code, 0);
    EXPECT_NE(read("m.xml").find("caf\xef\xbf\xbd\xef\xbf\xbd.onnx"), std::string::npos);
}

TEST_F(Command, ReportsOutputThatIsLost) {
    for (const auto& arguments : {"info " + onnx, "info --json " + onnx, std::string("--help")}) {
        const Outcome outcome = rondo_command(arguments + " 2>&1 >/dev/full #");
        EXPECT_EQ(outcome.exit_code, 1) << arguments;
        EXPECT_EQ(outcome.text, "rondo: can't write to the standard output\n");
    }
    const Outcome drawing =
        rondo_command("info " + onnx + " --graph " + at("none/x.dot") + " 2>&1 >/dev/null #");
    EXPECT_EQ(drawing.exit_code, 1);
    EXPECT_NE(drawing.text.find("can't write the file: there is no folder '" + at("none") + "'"),
              std::string::npos)
        << drawing.text;
}

TEST_F(Command, PrintsJsonForNamesThatAreNoUtf8) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    std::string text = read("m.xml");
    for (std::size_t i = 0; (i = text.find("pixels", i)) != std::string::npos;) {
        text.replace(i, 6, "caf\xe9");
    }
    write("m.xml", text);
    const Outcome info = rondo_command("info --json " + at("m.xml"));
    EXPECT_EQ(info.exit_code, 0) << info.text;
    EXPECT_NE(info.text.find("caf\xef\xbf\xbd"), std::string::npos) << info.text;
    const Outcome compare =
        rondo_command("compare --json -m " + at("m.xml") + " -data_shape \"[2,8,8]\"");
    EXPECT_EQ(compare.exit_code, 0) << compare.text;
}

}  // namespace
}  // namespace rondo::tool::command_test
