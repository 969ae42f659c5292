#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/model.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::compare_test {
namespace {

// x -> y, and z where there are two outputs.
Model model_of(bool has_two) {
    test::GraphBuilder b;
    const Output x = b.input("x", "[2]");
    b.output("y", b.make<ops::Unary>("a", ops::UnaryFunction::relu, x));
    if (has_two) b.output("z", b.make<ops::Unary>("b", ops::UnaryFunction::exp, x));
    return Model(b.graph());
}

TEST_F(Command, ComparesModelsOfTheSameOutputs) {
    save_model(model_of(false), at("one.xml"));
    save_model(model_of(true), at("two.xml"));
    const std::string one = at("one.xml");
    const std::string two = at("two.xml");
    EXPECT_EQ(rondo_command("compare -m " + two + " -ref_model " + two).exit_code, 0);
    expect_refused("compare -m " + one + " -ref_model " + two,
                   "the model has no output 'z', which the reference has");
    expect_refused("compare -m " + two + " -ref_model " + one, "the reference has no output 'z'");
}

}  // namespace
}  // namespace rondo::tool::compare_test
