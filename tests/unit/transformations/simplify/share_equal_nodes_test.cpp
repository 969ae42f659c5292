#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::share_equal_nodes_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;
using test::tensor_of;

TEST(ShareEqualNodes, WholeBranchesBecomeOne) {
    // relu(transpose x) + relu(transpose x), each with constants of its own
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const auto branch = [&](const char* name) {
        return b.make<ops::Unary>(name, ops::UnaryFunction::relu, b.transpose(x, {1, 0}));
    };
    const Output first = branch("first");
    b.output("y", b.make<ops::Binary>("add", ops::BinaryFunction::add, first, branch("second")));
    const auto graph = b.graph();
    expect_rewritten(*graph, share_equal_nodes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    EXPECT_EQ(count_nodes(*graph, "ReLU"), 1U);
    EXPECT_EQ(count_nodes(*graph, "Const"), 1U);
    EXPECT_EQ(graph->results()[0]->input(0).node().input(1).node().name(), "first");
}

TEST(ShareEqualNodes, EqualConstantsStayApart) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const auto one = [&](const char* name) { return b.constant(tensor_of<float>({}, {1}), name); };
    const auto sum = b.make<ops::Binary>("add", ops::BinaryFunction::add, x, one("a"));
    b.output("y", b.make<ops::Binary>("sub", ops::BinaryFunction::subtract, sum, one("b")));
    expect_unchanged(*b.graph(), share_equal_nodes);
}

TEST(ShareEqualNodes, RandomNumbersStayApart) {
    GraphBuilder b;
    const Output shape = b.input("shape", "[1]", ElementType::i64);
    const auto draw = [&] {
        return b.make<ops::RandomUniform>("", shape, b.constant(tensor_of<float>({}, {0})),
                                          b.constant(tensor_of<float>({}, {1})), ElementType::f32,
                                          ops::RandomSeed{});
    };
    const Output first = draw();
    b.output("y", b.make<ops::Binary>("sub", ops::BinaryFunction::subtract, first, draw()));
    expect_unchanged(*b.graph(), share_equal_nodes);
}

TEST(ShareEqualNodes, AllOutputsAreShared) {
    GraphBuilder b;
    const Output x = b.input("x", "[4]");
    const auto split = [&] {
        return b.make<ops::Split>("", x, b.constant(tensor_of<std::int64_t>({}, {0})), 2);
    };
    const auto first = split();
    const auto second = split();
    b.output("y", b.make<ops::Binary>("a", ops::BinaryFunction::add, first->output(0),
                                      second->output(1)));
    const auto graph = b.graph();
    expect_rewritten(*graph, share_equal_nodes);
    EXPECT_EQ(count_nodes(*graph, "Split"), 1U);
}

TEST(ShareEqualNodes, LeavesWhatDiffers) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,2]");
    const Output y = b.input("y", "[2,2]");
    // In an attribute, in an input, in the order of inputs, in type, in shape, in a bit.
    b.output("a", b.make<ops::Softmax>("", x, 0));
    b.output("b", b.make<ops::Softmax>("", x, 1));
    b.output("c", b.make<ops::Softmax>("", y, 1));
    b.output("d", b.make<ops::Binary>("", ops::BinaryFunction::subtract, x, y));
    b.output("e", b.make<ops::Binary>("", ops::BinaryFunction::subtract, y, x));
    b.output("f", b.constant(tensor_of<std::int64_t>({1}, {0})));
    b.output("g", b.constant(tensor_of<std::int32_t>({2}, {0, 0})));
    b.output("h", b.constant(tensor_of<std::int64_t>({}, {0})));
    b.output("i", b.constant(tensor_of<float>({}, {0.0F})));
    b.output("j", b.constant(tensor_of<float>({}, {-0.0F})));
    const auto noted = b.make<ops::Unary>("", ops::UnaryFunction::relu, x);
    noted->rt_info()["fact"] = "here";
    b.output("k", noted);
    b.output("l", b.make<ops::Unary>("", ops::UnaryFunction::relu, x));
    expect_unchanged(*b.graph(), share_equal_nodes);
}

TEST(ShareEqualNodes, OutputsOfTheModelKeepTheirNames) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    b.output("y", b.make<ops::Unary>("r1", ops::UnaryFunction::relu, x));
    b.output("z", b.make<ops::Unary>("r2", ops::UnaryFunction::relu, x));
    expect_unchanged(*b.graph(), share_equal_nodes);
}

TEST(ShareEqualNodes, LargeConstantsOnlyInTheSameMemory) {
    GraphBuilder b;
    const Tensor weights(ElementType::f32, {1025});
    const Tensor copy(ElementType::f32, {1025});
    const Output x = b.input("x", "[1025]");
    const auto plus = [&](const Tensor& tensor) {
        return b.make<ops::Binary>("", ops::BinaryFunction::add, x, b.constant(tensor));
    };
    b.output("y",
             b.make<ops::Binary>("s", ops::BinaryFunction::subtract, plus(weights), plus(copy)));
    expect_unchanged(*b.graph(), share_equal_nodes);
    b.output("z", b.make<ops::Binary>("m", ops::BinaryFunction::multiply, plus(weights), x));
    const auto graph = b.graph();
    expect_rewritten(*graph, share_equal_nodes);
    EXPECT_EQ(count_nodes(*graph, "Const"), 2U);
}

}  // namespace
}  // namespace rondo::passes::share_equal_nodes_test
