// `rondo info` and `rondo compile` on models with bodies, and what they say of a file's facts.
#include <gmock/gmock.h>

#include "tests/support/files/encoded_text.hpp"
#include "tests/unit/tools/rondo/branching_model.hpp"
#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::info_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Command, LooksIntoBodies) {
    save_model(branching_model(), at("m.xml"));
    const std::string shown = rondo_command("info " + at("m.xml")).text;
    EXPECT_THAT(shown, HasSubstr("Operations, those of 2 bodies too\n      1  If\n"));
    EXPECT_THAT(shown, HasSubstr("  f32  200 B\n"));
    EXPECT_THAT(shown, ContainsRegex("LSTMSequence +forward +3 +2 +choice/then_body/yes \\("));
    EXPECT_THAT(shown, ContainsRegex("LSTMSequence +forward +3 +2 +choice/else_body/no \\("));
    EXPECT_THAT(rondo_command("info --json " + at("m.xml")).text,
                HasSubstr("\"name\": \"choice/then_body/yes\""));
    EXPECT_THAT(rondo_command("info --coverage " + at("m.xml")).text,
                HasSubstr("runs  3 operations, 2 recurrent layers\n1 of 1 model runs\n"));
    EXPECT_THAT(rondo_command("compile " + at("m.xml") + " -o " + at("c.xml")).text,
                ContainsRegex("c.bin: 22 nodes, 208 B of constants\n"));
    ASSERT_EQ(rondo_command("info " + at("m.xml") + " --graph " + at("g.dot")).exit_code, 0);
    EXPECT_THAT(read("g.dot"), HasSubstr("label=\"then_body of choice\""));
}

TEST_F(Command, ReportsShowTimesInBodies) {
    save_model(branching_model(), at("m.xml"));
    const Outcome measured = rondo_command("benchmark " + at("m.xml") + " -niter 20 -html " +
                                           at("m.html") + " -data_shape \"c[],x[1,5,3]\"");
    ASSERT_EQ(measured.exit_code, 0) << measured.text;
    if (read("m.html").find("Graphviz isn't here") != std::string::npos) GTEST_SKIP();
    EXPECT_THAT(read("m.html"), HasSubstr("then_body of choice"));
    EXPECT_THAT(read("m.html"), ContainsRegex(">(yes|no)</text>(\n|[^u])*[0-9] us</text>"));
}

// Passes make the layer of a Loop that the file has.
TEST_F(Command, CoverageCountsLayersThatPassesMake) {
    const std::string loop =
        RONDO_SOURCE_DIR "/tests/data/exporters/torch_script_17_loop_joined_lstm/model.onnx";
    EXPECT_THAT(rondo_command("info " + loop).text, Not(HasSubstr("Recurrent layers")));
    EXPECT_THAT(rondo_command("info --coverage " + loop).text,
                ContainsRegex("runs  [0-9]+ operations, 1 recurrent layer\n"));
}

TEST_F(Command, SaysFactsInWords) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    const std::string shown = rondo_command("info " + at("m.xml")).text;
    EXPECT_THAT(shown, HasSubstr("  rondo/source  digits_lstm.onnx\n"));
    EXPECT_THAT(shown, HasSubstr("  known extents of inputs stay as they are\n"));
    EXPECT_THAT(shown, Not(HasSubstr("rondo/options")));
    EXPECT_THAT(shown, Not(HasSubstr("rondo_fixed_extents")));
}

TEST_F(Command, ColumnsOfKernelsStayApart) {
    const std::string shown = rondo_command("info --explain " RONDO_SOURCE_DIR
                                            "/tests/data/ir/openvino_tensor_iterator.xml")
                                  .text;
    EXPECT_THAT(shown, ContainsRegex("\n  TensorIterator  loop +ti"));
}

// As an editor on Windows writes it.
TEST_F(Command, TakesIrInUtf16) {
    ASSERT_EQ(rondo_command("compile " + onnx + " -o " + at("m.xml")).exit_code, 0);
    const std::string text = read("m.xml");
    write("m.xml", test::encoded(test::kByteOrderMark + text, {2, false}));
    const Outcome compared = rondo_command("compare -m " + at("m.xml") + " -ref_model " + onnx +
                                           " --data_shape 'pixels[2,8,8]'");
    EXPECT_EQ(compared.exit_code, 0) << compared.text;
    write("m.xml", test::encoded(text, {2, true}) + "x");
    expect_refused("info " + at("m.xml"), "m.xml: line ");
}

}  // namespace
}  // namespace rondo::tool::info_test
