// What becomes of the numbers of files that the commands feed to a model.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/tools/rondo/command.hpp"
#include "tools/rondo/inputs/npy.hpp"

namespace rondo::tool::run_test {
namespace {

// x f32[2] * s, where s is a scalar.
void write_model(const std::string& path) {
    test::GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output s = b.input("s", "[]");
    b.output("y", b.make<ops::Binary>("y", ops::BinaryFunction::multiply, x, s));
    save_model(Model(b.graph()), path);
}

TEST_F(Command, ConvertsInputsAndTakesElementsForScalars) {
    write_model(at("m.xml"));
    write_npy(at("x.npy"), test::tensor_of<double>({2}, {0.1, 3}));
    write_npy(at("s.npy"), test::tensor_of<std::int64_t>({1, 1}, {2}));
    const std::string files =
        " -m " + at("m.xml") + " -i x=" + at("x.npy") + " -i s=" + at("s.npy");
    const std::string note = "rondo: input 'x': " + at("x.npy") + ": 1 of 2 numbers were rounded";
    const std::vector<std::string> commands{"run -o " + at("out"), "compare", "compare --layers",
                                            "benchmark -niter 2",
                                            "benchmark -streams 2 -t 0.1 -rate 100"};
    for (const std::string& command : commands) {
        const Outcome outcome = rondo_command(command + files);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
        EXPECT_NE(outcome.text.find(note), std::string::npos) << outcome.text;
    }
    test::expect_same(read_npy(at("out/y.npy")), test::tensor_of<float>({2}, {0.2F, 6}));
    write_npy(at("x.npy"), test::tensor_of<double>({2}, {1e39, 3}));
    expect_refused("run -o " + at("out") + files, "which can't hold ");
}

TEST_F(Command, DataShapesOfScalarsMayHaveARank) {
    write_model(at("m.xml"));
    for (const std::string command : {"compare", "benchmark -niter 2"}) {
        const Outcome outcome = rondo_command(command + " --data_shape \"s[1]\" -m " + at("m.xml"));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    }
}

}  // namespace
}  // namespace rondo::tool::run_test
