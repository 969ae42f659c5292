// The options of the rondo command that are for ONNX alone.
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"
#include "tests/unit/tools/rondo/command.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::tool::onnx_options_test {
namespace {

using OnnxOptions = Command;

TEST_F(OnnxOptions, WritesTheConstantsOfOnnxBesideIt) {
    const Outcome made =
        rondo_command("compile " + onnx + " -o " + at("m.onnx") + " --external-data");
    ASSERT_EQ(made.exit_code, 0) << made.text;
    EXPECT_NE(made.text.find(at("m.onnx") + " and " + at("m.onnx.data") + ": "), std::string::npos)
        << made.text;
    EXPECT_GT(fs::file_size(at("m.onnx.data")), fs::file_size(at("m.onnx")));
    const Outcome compared = rondo_command("compare " + onnx + " --ref_model " + at("m.onnx") +
                                           " -i pixels=" + sample + "test_pixels.npy");
    EXPECT_EQ(compared.exit_code, 0) << compared.text;
    const Outcome whole = rondo_command("compile " + onnx + " -o " + at("m.onnx"));
    EXPECT_EQ(whole.text.find(".data"), std::string::npos) << whole.text;
    expect_refused("compile " + onnx + " -o " + at("m.xml") + " --external-data",
                   "external data is for ONNX");
}

// y = x + h0, where h0 is an input with a default.
TEST_F(OnnxOptions, KeepsInputsThatHaveInitializers) {
    test::ModelBuilder model;
    model.input("x", ElementType::f32, {2}).input("h0", ElementType::f32, {2}).output("y");
    model.initializer("h0", test::tensor_of<float>({2}, {10, 20}));
    model.node("Add", {"x", "h0"}, {"y"});
    write("m.onnx", model.bytes());
    write_npy(at("x.npy"), test::tensor_of<float>({2}, {1, 2}));
    const std::string run = "run " + at("m.onnx") + " -i x=" + at("x.npy") + " -o " + at("out");
    ASSERT_EQ(rondo_command(run).exit_code, 0);
    test::expect_same(read_npy(at("out/y.npy")), test::tensor_of<float>({2}, {11, 22}));
    const std::string fed = " -i h0=" + at("x.npy");
    expect_refused(run + fed,
                   "no input 'h0'; it has an initializer, so that reading made it a "
                   "constant; read the model with KEEP_INPUTS=YES (rondo: "
                   "--keep-inputs) to keep it an input");
    expect_refused("compare " + at("m.onnx") + " --data_shape h0[2]", "(rondo: --keep-inputs)");
    for (const char* option : {" --stateful x:y,h0:y", " --stateful h0:y", " --streaming h0:0"}) {
        expect_refused("compile " + at("m.onnx") + " -o " + at("s.xml") + option,
                       "the model has no input 'h0'; it has an initializer, so that reading made "
                       "it a constant; read the model with KEEP_INPUTS=YES");
    }
    const Outcome laid_out = rondo_command("benchmark " + at("m.onnx") + " -niter 1 -layout h0[C]");
    EXPECT_EQ(laid_out.exit_code, 1);
    EXPECT_NE(laid_out.text.find("'h0[C]': the model has no input 'h0'; it has an initializer"),
              std::string::npos)
        << laid_out.text;
    for (const char* keep : {" --keep-inputs", " -p KEEP_INPUTS=YES"}) {
        const Outcome kept = rondo_command(run + fed + keep);
        ASSERT_EQ(kept.exit_code, 0) << kept.text;
        test::expect_same(read_npy(at("out/y.npy")), test::tensor_of<float>({2}, {2, 4}));
    }
    expect_refused(run + " --keep-inputs", "missing inputs: 'h0'");
    const std::string compile = "compile " + at("m.onnx") + " -o " + at("m.xml");
    ASSERT_EQ(rondo_command(compile).exit_code, 0);
    expect_refused("run " + at("m.xml") + fed + " -o " + at("out"), "(rondo: --keep-inputs)");
    ASSERT_EQ(rondo_command(compile + " --keep-inputs").exit_code, 0);
    EXPECT_NE(rondo_command("info " + at("m.xml")).text.find("h0  f32[2]"), std::string::npos);
    for (const std::string command : {"info ", "benchmark -niter 1 "}) {
        const Outcome kept = rondo_command(command + at("m.onnx") + " --keep-inputs");
        EXPECT_EQ(kept.exit_code, 0) << kept.text;
        EXPECT_NE(kept.text.find("h0"), std::string::npos) << kept.text;
    }
}

}  // namespace
}  // namespace rondo::tool::onnx_options_test
