// The rules of transformations/streaming/view_rules.cpp and time_extent.cpp.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::view_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 1}}};

TEST(ViewRules, FollowReshapesThatKeepTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,8]");
    Output y = b.reshape(x, {0, 0, 2, 4});
    y = b.reshape(b.transpose(relu(b, y), {1, 0, 3, 2}), {0, -1, 8});
    b.output("y", b.transpose(y, {1, 0, 2}));
    expect_same_in_chunks(*b.graph(), {noise({3, 15, 8})}, kTime);
}

// [N,T,K,8] -> [N,1,T,K,2,4], where no two of N, T and K are left to find out.
TEST(ViewRules, FollowExtentsInAShape) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,?,8]");
    const std::vector<Output> shape{extent_of(b, x, 0), b.ints({1}), extent_of(b, x, 1),
                                    extent_of(b, x, 2), b.ints({2, 4})};
    b.output("y", b.make<ops::Reshape>("", relu(b, x), b.make<ops::Concat>("", shape, 0)));
    expect_same_in_chunks(*b.graph(), {noise({3, 15, 2, 8})}, kTime);
}

// [1,T,8] -> [T,8] -> [1,T,2,4]
TEST(ViewRules, FollowABatchOfOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,8]");
    const Output rows = relu(b, b.reshape(x, {-1, 8}));
    b.output("y", b.reshape(rows, {1, -1, 2, 4}));
    expect_same_in_chunks(*b.graph(), {noise({1, 15, 8})}, kTime);
}

TEST(ViewRules, RefuseToMergeTime) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,?,8]");
    b.output("y", b.make<ops::Reshape>("merge", x, b.ints({-1, 8}), true));
    expect_refused(b, "node 'merge' (Reshape)", "merges time with other axes", kTime);
    GraphBuilder c;
    c.output("y", c.make<ops::Reshape>("merge", c.input("x", "[1,?,8]"), c.ints({1, -1, 4}), true));
    expect_refused(c, "node 'merge' (Reshape)", "merges time with other axes", kTime);
}

TEST(ViewRules, RefuseASqueezeThatMightTakeTime) {
    GraphBuilder b;
    b.output("y", b.make<ops::Squeeze>("squeeze", b.input("x", "[1,?,8]")));
    expect_refused(b, "node 'squeeze' (Squeeze)", "removes all axes of extent 1", kTime);
}

// One frame a call: [1,1,4] -> [4] -> relu -> [1,1,4]; the frames stay rows of their own.
TEST(ViewRules, GiveTimeAnAxisOfItsOwn) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,1,4]");
    const Output flat = relu(b, b.reshape(x, {-1}));
    b.output("y", b.reshape(b.make<ops::Binary>("", ops::BinaryFunction::add, flat,
                                                b.constant(noise({4}))),
                            {1, 1, 4}));
    const auto original = b.graph();
    const auto graph = original->clone();
    Model(graph).make_streaming(kTime);
    EXPECT_EQ(to_string(graph->results()[0]->output_shape(0)), "[1,?,4]");
    const Tensor frames = noise({1, 6, 4});
    std::vector<Tensor> expected;
    for (std::size_t i = 0; i < 6; ++i) {
        expected.push_back(run_whole(*original, "CPU", {rows_of(frames, 1, i, i + 1)}).front());
    }
    expect_same(run_whole(*graph, "CPU", {frames}).front(), joined(expected, 1));
}

}  // namespace
}  // namespace rondo::view_rules_test
