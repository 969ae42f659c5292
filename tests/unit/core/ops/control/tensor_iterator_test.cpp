// Tests a part of core/ops/control/control_ops.hpp.
#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tensor_iterator_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BodyPorts;
using ops::PartRange;

std::string shapes_of(const Graph& graph) {
    return to_string(graph.results()[0]->output_shape(0)) + " " +
           to_string(graph.results()[1]->output_shape(0));
}

const Tensor kX = tensor_of<float>({1, 3, 2}, {1, 2, 10, 20, 100, 200});
const Tensor kH = tensor_of<float>({1, 2}, {5, 7});

TEST(TensorIterator, IsInTheList) {
    EXPECT_EQ(ops::find_op("TensorIterator", "opset1")->type, &ops::TensorIterator::kType);
}

TEST(TensorIterator, InfersJoinedOutputs) {
    EXPECT_EQ(shapes_of(*running_sum(false, "4,3,2", "4,2")), "[4,2] [4,3,2]");
    EXPECT_EQ(shapes_of(*running_sum(true, "4,0,2", "4,2")), "[4,2] [4,0,2]");
    EXPECT_EQ(shapes_of(*running_sum(false, "4,?,2", "4,2")), "[4,2] [4,?,2]");
    EXPECT_EQ(shapes_of(*running_sum(false, "...", "4,2")), "[...] [...]");
}

// h has one row at first and four from then on.
TEST(TensorIterator, WidensWhatChangesOnTheWay) {
    EXPECT_EQ(shapes_of(*running_sum(false, "4,3,2", "1,2")), "[4,2] [4,3,2]");
    EXPECT_EQ(shapes_of(*running_sum(false, "4,?,2", "1,2")), "[1..4,2] [4,?,2]");
}

TEST(TensorIterator, RunsForwardAndBackward) {
    auto results = evaluate_graph(*running_sum(), {kX, kH});
    expect_same(results[0], tensor_of<float>({1, 2}, {116, 229}));
    expect_same(results[1], tensor_of<float>({1, 3, 2}, {6, 9, 16, 29, 116, 229}));
    results = evaluate_graph(*running_sum(true), {kX, kH});
    expect_same(results[1], tensor_of<float>({1, 3, 2}, {116, 229, 115, 227, 105, 207}));
}

TEST(TensorIterator, WithoutPartsHandsOnTheInput) {
    const auto results = evaluate_graph(*running_sum(), {Tensor(ElementType::f32, {1, 0, 2}), kH});
    expect_same(results[0], kH);
    EXPECT_EQ(results[1].shape(), (Shape{1, 0, 2}));
}

TEST(TensorIterator, RefusesWhatDoesNotFit) {
    const auto broken = [](auto change, const char* message) {
        const auto graph = running_sum(false, "4,3,2", "4,2");
        auto& node = find<ops::TensorIterator>(*graph, "walk");
        BodyPorts ports = node.body_ports();
        change(ports);
        node.set_ports(0, ports);
        expect_error<ModelError>([&] { node.validate(); }, message);
    };
    broken([](BodyPorts& p) { p.inputs[0].slice = {}; }, "no input is cut into parts");
    broken([](BodyPorts& p) { p.inputs[0].slice->axis = 3; },
           "input 0 of shape [4,3,2] has no axis 3");
    broken([](BodyPorts& p) { p.inputs[0].slice->part_size = 0; }, "part_size is 0");
    broken(
        [](BodyPorts& p) {
            p.inputs[1] = {1, 1, PartRange{0}, {}};
        },
        "input 1 has 4 parts; expected 3");
    broken([](BodyPorts& p) { p.outputs[1].concat->axis = 3; },
           "output 1 is joined from shapes [4,1,2], which have no axis 3");
    broken([](BodyPorts& p) { p.outputs[1].concat->part_size = 2; }, "but part_size is 2");
    expect_error<UnsupportedError>(
        [] {
            const auto graph = running_sum(false, "4,3,2", "4,2");
            auto& node = find<ops::TensorIterator>(*graph, "walk");
            BodyPorts ports = node.body_ports();
            ports.outputs[1].concat->start = 1;
            node.set_ports(0, ports);
            node.validate();
        },
        "output 1 is joined to a part of an axis");
}

TEST(TensorIterator, RefusesATypeThatChanges) {
    GraphBuilder body;
    const Output x = body.input("x", "?,1");
    body.output("y", body.make<ops::Convert>("", x, ElementType::f64));
    body.input("p", "?,1");
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("a", "3,1"), builder.input("b", "3,1")};
    expect_error<ModelError>(
        [&] {
            builder.make<ops::TensorIterator>(
                "t", inputs, body.graph(),
                BodyPorts{{{0, 0, {}, 0}, {1, 1, PartRange{0}, {}}}, {{0, 0, {}}}});
        },
        "input 0 is f32 but becomes f64 in the body");
}

}  // namespace
}  // namespace rondo::tensor_iterator_test
