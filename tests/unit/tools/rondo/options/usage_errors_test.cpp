#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool {
namespace {

TEST_F(Command, UsageErrorsExitWithOne) {
    expect_refused("", "no command given; there are: 'compile'");
    expect_refused("frobnicate", "unknown command 'frobnicate'; there are: 'compile'");
    expect_refused("run -m " + onnx, "run: --output is required");
    expect_refused("compile " + onnx + " -o model.json", "must end in .xml");
    expect_refused("info /nowhere.onnx", "/nowhere.onnx: can't read the file");
    const auto help = rondo_command("--help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.text.find("Example: rondo benchmark"), std::string::npos) << help.text;
    EXPECT_EQ(rondo_command("benchmark --help").exit_code, 0);
}

TEST_F(Command, SaysWhichOptionWasMeant) {
    expect_refused("benchmrak",
                   "rondo: unknown command 'benchmrak'; did you mean 'benchmark'? "
                   "There are: 'compile', 'run', 'benchmark', 'compare', 'info' (");
    expect_refused("--versio", "rondo: unknown option '--versio'; did you mean '--version'? (");
    // As it was typed, and before what is missing.
    expect_refused("benchmark --number_iteration 3",
                   "rondo: benchmark: unknown option '--number_iteration'; "
                   "did you mean '--number_iterations'? (rondo benchmark --help says more)");
    expect_refused("benchmark -m " + onnx + " -nitr 3 -xyzzy",
                   "benchmark: unknown option '-nitr'; did you mean '-niter'? (");
    expect_refused("benchmark -m " + onnx + " -xyzzy=3", "unknown option '-xyzzy' (rondo");
    expect_refused("run x.npy y.npy -o out", "run: unexpected argument 'y.npy' (");
    expect_refused("benchmark -m " + onnx + " -niter x", "benchmark: -niter: 'x' is not a whole");
    expect_refused("benchmark -m " + onnx + " --niter=x", "benchmark: --niter: 'x' is not a whole");
}

TEST_F(Command, SaysWhichValueWasMeant) {
    expect_refused("compile " + onnx + " -o x.xml --weights fp16",
                   "rondo: compile: --weights: unknown 'fp16'; did you mean 'f16'? "
                   "There are: 'f32', 'f16', 'bf16' (");
    expect_refused("compile " + onnx + " -o", "compile: --output needs a value (");
    expect_refused("info " + onnx + " -graph a.dot -graph b.dot",
                   "info: -graph is given more than once: 'a.dot' and 'b.dot' (");
    expect_refused("compare -m " + onnx + " --seed abc", "compare: --seed: 'abc' is not a whole");
    expect_refused("compare -m " + onnx + " --json=abc",
                   "compare: --json: it takes no value; got 'abc' (");
}

TEST_F(Command, SaysWhichNameOfTheModelWasMeant) {
    const std::string shapes = " -data_shape \"pixel[1,8,8]\"";
    expect_refused("compare -m " + onnx + shapes,
                   "no input 'pixel'; did you mean 'pixels'? There are: 'pixels'");
    expect_refused("compare -m " + onnx + " -d cpu -data_shape \"pixels[1,8,8]\"",
                   "unknown device 'cpu'; did you mean 'CPU'? There are: 'CPU', 'REFERENCE'");
    expect_refused("info " + onnx + " --why lstm/LSTM",
                   "no op has that name; did you mean '/lstm/LSTM'? There are: '");
}

}  // namespace
}  // namespace rondo::tool
