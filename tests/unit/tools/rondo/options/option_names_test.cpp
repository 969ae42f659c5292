// The forms in which options may be typed.
#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::option_names_test {
namespace {

TEST_F(Command, DashesAndUnderscoresInNamesAreTheSame) {
    for (const std::string option : {"--batch-axis", "--batch_axis", "-batch_axis"}) {
        ASSERT_EQ(
            rondo_command("compile " + onnx + " -o " + at("m.xml ") + option + " 7").exit_code, 0);
        EXPECT_NE(rondo_command("info " + at("m.xml")).text.find("pixels  f32[7,"),
                  std::string::npos);
    }
    EXPECT_EQ(rondo_command("compare -m " + onnx + " --data-shape=pixels[1,8,8]").exit_code, 0);
    const Outcome measured =
        rondo_command("benchmark -m " + onnx + " -data-shape pixels[1,8,8] -niter 1");
    EXPECT_EQ(measured.exit_code, 0) << measured.text;
    // As it was typed.
    expect_refused("benchmark -m " + onnx + " --data-shap x",
                   "unknown option '--data-shap'; did you mean '--data_shape'?");
    expect_refused("compile " + onnx + " -o " + at("m.xml") + " -stop_after",
                   "compile: -stop_after needs a value");
}

TEST_F(Command, TakesTheModelAloneOrAsAnOption) {
    const std::string shape = " -data_shape pixels[1,8,8]";
    for (const auto& model : {onnx, "-m " + onnx, "--model " + onnx}) {
        EXPECT_EQ(rondo_command("info " + model).exit_code, 0);
        EXPECT_EQ(rondo_command("compile " + model + " -o " + at("m.xml")).exit_code, 0);
        EXPECT_EQ(rondo_command("compare " + model + shape).exit_code, 0);
        EXPECT_EQ(rondo_command("benchmark " + model + shape + " -niter 1").exit_code, 0);
        EXPECT_EQ(rondo_command("run " + model + " -i pixels=" + sample + "test_pixels.npy -o " +
                                at("out"))
                      .exit_code,
                  0);
    }
    for (const std::string command : {"info", "compile", "compare", "benchmark", "run"}) {
        const std::string output = command == "run" || command == "compile" ? " -o x.xml" : "";
        expect_refused(command + " a.onnx -m b.onnx" + output,
                       command + ": the model is given twice: 'a.onnx' and 'b.onnx' (");
        expect_refused(command + output, command + ": no model is given");
        expect_refused(command + " -" + output, "'-' is no file: a model can't come from the");
    }
}

TEST_F(Command, HelpIsACommandToo) {
    EXPECT_EQ(rondo_command("help").text, rondo_command("--help").text);
    EXPECT_EQ(rondo_command("help compile").text, rondo_command("compile --help").text);
    EXPECT_EQ(rondo_command("help compile").exit_code, 0);
    expect_refused("help compil", "unknown command 'compil'; did you mean 'compile'?");
    EXPECT_EQ(rondo_command("-v").text, rondo_command("--version").text);
}

}  // namespace
}  // namespace rondo::tool::option_names_test
