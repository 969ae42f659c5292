#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::scan_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ElementType f32 = ElementType::f32;

// s becomes s + a part of x, which is also scanned.
ModelBuilder scan(std::int64_t opset = 11) {
    ModelBuilder body, model(opset);
    body.input("s", f32, {2}).input("part", f32, {2});
    body.node("Add", {"s", "part"}, {"sum"});
    body.node("Identity", {"sum"}, {"kept"});
    body.output("sum").output("kept");
    model.input("s0", f32, {2}).input("x", f32, {3, 2});
    model.node("Scan", {"s0", "x"}, {"last", "all"})
        .with("body", body.graph())
        .with("num_scan_inputs", 1);
    model.output("last").output("all");
    return model;
}

const Tensor kStart = tensor_of<float>({2}, {0, 0});
const Tensor kX = tensor_of<float>({3, 2}, {1, 2, 10, 20, 100, 200});

TEST(OnnxScan, SumsTheRows) {
    check_graph(*scan().read());
    const auto results = scan().run({kStart, kX});
    expect_same(results[0], tensor_of<float>({2}, {111, 222}));
    expect_same(results[1], tensor_of<float>({3, 2}, {1, 2, 11, 22, 111, 222}));
}

TEST(OnnxScan, WalksBackwardAndJoinsBackward) {
    ModelBuilder model = scan();
    NodeBuilder node(*model.graph().mutable_node(0));
    node.with("scan_input_directions", std::vector<std::int64_t>{1});
    expect_same(model.run({kStart, kX})[1],
                tensor_of<float>({3, 2}, {100, 200, 110, 220, 111, 222}));
    node.with("scan_output_directions", std::vector<std::int64_t>{1});
    expect_same(model.run({kStart, kX})[1],
                tensor_of<float>({3, 2}, {111, 222, 110, 220, 100, 200}));
}

TEST(OnnxScan, WalksAnyAxis) {
    ModelBuilder model = scan();
    *model.graph().mutable_input(1) = ModelBuilder().input("x", f32, {2, 3}).graph().input(0);
    NodeBuilder node(*model.graph().mutable_node(0));
    node.with("scan_input_axes", std::vector<std::int64_t>{-1});
    node.with("scan_output_axes", std::vector<std::int64_t>{-1});
    const Tensor x = tensor_of<float>({2, 3}, {1, 10, 100, 2, 20, 200});
    expect_same(model.run({kStart, x})[1], tensor_of<float>({2, 3}, {1, 11, 111, 2, 22, 222}));
}

TEST(OnnxScan, RefusesWhatIsNoScan) {
    const auto broken = [](auto change, const char* message) {
        ModelBuilder model = scan();
        change(*model.graph().mutable_node(0));
        expect_error<ModelError>([&] { model.read(); }, message);
    };
    using Message = rondo_onnx::NodeProto;
    using Ints = std::vector<std::int64_t>;
    broken([](Message& n) { n.mutable_attribute(1)->set_i(0); },
           "attribute 'num_scan_inputs' is 0; expected 1 to 2");
    broken([](Message& n) { n.mutable_attribute(1)->set_i(3); }, "expected 1 to 2");
    broken(
        [](Message& n) {
            NodeBuilder(n).with("scan_input_axes", Ints{0, 0});
        },
        "attribute 'scan_input_axes' has 2 elements; expected 1");
    broken([](Message& n) { NodeBuilder(n).with("scan_input_axes", Ints{2}); },
           "input 1 of shape [3,2] has no axis 2");
    broken([](Message& n) { NodeBuilder(n).with("scan_input_axes", Ints{-3}); },
           "input 1 of shape [3,2] has no axis -3");
    broken([](Message& n) { NodeBuilder(n).with("scan_input_directions", Ints{2}); },
           "attribute 'scan_input_directions' has a 2; expected 0 or 1");
    broken([](Message& n) { n.add_output("more"); }, "the body has 2 outputs; expected 3");
}

// Each row of the batch on its own, with a tensor of the graph around.
ModelBuilder batched() {
    ModelBuilder body, model(8);
    body.input("s", f32, {2}).input("part", f32, {2});
    body.node("Add", {"s", "part"}, {"raw"});
    body.node("Mul", {"raw", "factor"}, {"sum"});
    body.node("Identity", {"sum"}, {"kept"});
    body.output("sum").output("kept");
    model.input("s0", f32, {-1, 2}).input("x", f32, {-1, -1, 2}).input("factor", f32, {});
    model.node("Scan", {"", "s0", "x"}, {"last", "all"})
        .with("body", body.graph())
        .with("num_scan_inputs", 1);
    model.output("last").output("all");
    return model;
}

TEST(OnnxScan, OfOpset8WalksEachRowOfABatch) {
    check_graph(*batched().read());
    const std::vector<Tensor> inputs{
        tensor_of<float>({2, 2}, {0, 0, 5, 5}),
        tensor_of<float>({2, 2, 2}, {1, 2, 10, 20, 100, 200, 1000, 2000}), scalar_of<float>(1)};
    auto results = batched().run(inputs);
    expect_same(results[0], tensor_of<float>({2, 2}, {11, 22, 1105, 2205}));
    expect_same(results[1], tensor_of<float>({2, 2, 2}, {1, 2, 11, 22, 105, 205, 1105, 2205}));
    ModelBuilder backward = batched();
    NodeBuilder(*backward.graph().mutable_node(0)).with("directions", std::vector<std::int64_t>{1});
    expect_same(backward.run(inputs)[1],
                tensor_of<float>({2, 2, 2}, {10, 20, 11, 22, 1005, 2005, 1105, 2205}));
}

TEST(OnnxScan, OfOpset8RefusesLengths) {
    ModelBuilder model = batched();
    model.input("lengths", ElementType::i64, {-1});
    model.graph().mutable_node(0)->set_input(0, "lengths");
    expect_error<UnsupportedError>([&] { model.read(); }, "sequence_lens is not supported");
}

}  // namespace
}  // namespace rondo::onnx::scan_test
