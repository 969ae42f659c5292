#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::usage_errors_test {
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
                   "There are: 'compile', 'run', 'benchmark', 'compare', 'info', 'quantize' (");
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

TEST_F(Command, NamesOptionsAsTheyWereTyped) {
    const std::string benchmark = "benchmark -m " + onnx + " ";
    expect_refused(benchmark + "-t 0",
                   "benchmark: -t: '0' is not a number from 0.001 to 1000000 (");
    expect_refused(benchmark + "--t=0", "benchmark: --t: '0' is not");
    expect_refused(benchmark + "-b0", "benchmark: -b: '0' is not a whole number from 1");
    expect_refused(benchmark + "-time x", "benchmark: -time: 'x' is not a number");
    expect_refused(benchmark + "-seed x", "-seed: 'x' is not a whole number from 0 to 4294967295");
    expect_refused(benchmark + "-hint fast",
                   "-hint: unknown 'fast'; there are: 'latency', 'throughput', ");
    expect_refused(benchmark + "-pc maybe", "-pc: 'maybe' is neither true nor false");
    expect_refused(benchmark + "-t", "benchmark: -t");
    expect_refused(benchmark + "-latency_percentile 0", "'0' is not a whole number from 1 to 100");
}

TEST_F(Command, OneDashOrTwoMakeNoDifference) {
    for (const std::string& model : {"-m=" + onnx, "-m" + onnx, "--m=" + onnx, "--m " + onnx}) {
        const Outcome outcome = rondo_command("benchmark " + model + " -niter=0 -b=1 --d=CPU");
        EXPECT_EQ(outcome.exit_code, 0) << model << "\n" << outcome.text;
        EXPECT_NE(outcome.text.find("'pixels' f32[1,8,8]"), std::string::npos) << outcome.text;
    }
}

TEST_F(Command, SaysWhyAFlagOfBenchmarkAppIsMissing) {
    const std::string benchmark = "benchmark -m " + onnx + " ";
    for (const char* flag : {"-extensions x", "-c x", "-ip f32", "-op f32", "-iop x:f32",
                             "--mean_values [1]", "-scale_values=[1]"}) {
        const std::string name = std::string(flag).substr(0, std::string(flag).find_first_of(" ="));
        expect_refused(benchmark + flag, "benchmark: no option '" + name + "': ");
    }
    expect_refused(benchmark + "-ip f32", "inputs and outputs have the model's types");
    expect_refused("run -m " + onnx + " -ip f32 -o x", "run: unknown option '-ip'");
}

TEST_F(Command, SaysWhichValueWasMeant) {
    expect_refused("compile " + onnx + " -o x.xml --weights fp16",
                   "rondo: compile: --weights: unknown 'fp16'; did you mean 'f16'? "
                   "There are: 'f32', 'f16', 'bf16' (");
    expect_refused("compile " + onnx + " -o", "compile: -o needs a value (");
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
}  // namespace rondo::tool::usage_errors_test
