#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::body_ports_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BodyPorts;
using ops::PartRange;

InferContext context_of_inputs(std::size_t count) {
    return {"n", "Loop", std::vector<InferInput>(count)};
}

void check(const BodyPorts& ports) {
    ops::check_ports(context_of_inputs(4), ports, *count_body(), 0);
}

ops::PartPlan plan(const PartRange& range, const PartialShape& shape) {
    return ops::plan_parts(context_of_inputs(1), range, shape, "input 0");
}

TEST(BodyPorts, AreText) {
    EXPECT_EQ(ops::to_text(count_ports()),
              "(2 -> 1 back 1, 3 -> 2 back 3; 1 -> 0, 2 -> 1 joined [axis=0, start=0, stride=1, "
              "part_size=1, end=-1])");
}

TEST(BodyPorts, AreCheckedAgainstOpAndBody) {
    check(count_ports());
    const auto broken = [](auto change, const char* message) {
        BodyPorts ports = count_ports();
        change(ports);
        expect_error<ModelError>([&] { check(ports); }, message);
    };
    broken([](BodyPorts& p) { p.inputs[0].input = 4; }, "input 4 isn't there; there are 4");
    broken([](BodyPorts& p) { p.inputs[0].parameter = 3; }, "the body's parameter 3 isn't there");
    broken([](BodyPorts& p) { p.inputs[0].parameter = 2; },
           "the body's node 'left' (Parameter) is fed twice");
    broken([](BodyPorts& p) { p.inputs[0].parameter = 0; }, "node 'i' (Parameter) is fed twice");
    broken([](BodyPorts& p) { p.inputs.pop_back(); },
           "nothing feeds the body's node 'left' (Parameter)");
    broken([](BodyPorts& p) { p.inputs[0].back_edge = 4; }, "the body's result 4 isn't there");
    broken([](BodyPorts& p) { p.inputs[0].slice = PartRange{}; },
           "input 2 is cut into parts and has a back edge");
    broken([](BodyPorts& p) { p.outputs[1].result = 4; }, "the body's result 4 isn't there");
    broken([](BodyPorts& p) { p.outputs[1].output = 0; }, "expected 0, 1, 2 ... once each");
    broken([](BodyPorts& p) { p.outputs[1].output = 2; }, "output 2 is one of 2");
}

TEST(BodyPorts, RefuseAVariableInTheBody) {
    GraphBuilder body;
    const Output state = body.read("s", "[2]");
    body.assign("s", state);
    body.output("y", state);
    expect_error<UnsupportedError>(
        [&] {
            ops::check_ports(context_of_inputs(0), {{}, {{0, 0, {}}}}, *body.graph());
        },
        "the body assigns a variable");
}

TEST(PartPlan, CutsAnAxis) {
    const auto forward = plan({1}, {2, 5});
    EXPECT_EQ(forward.axis, 1u);
    EXPECT_EQ(forward.parts, 5u);
    EXPECT_EQ(forward.first, 0);
    EXPECT_EQ(forward.step, 1);
    const auto backward = plan({1, -1, -2, 2, 0}, {2, 6});
    EXPECT_EQ(backward.parts, 3u);
    EXPECT_EQ(backward.first, 4);
    EXPECT_EQ(backward.step, -2);
    const auto inside = plan({0, 1, 1, 1, -2}, {5});
    EXPECT_EQ(inside.parts, 3u);
    EXPECT_EQ(inside.first, 1);
    EXPECT_EQ(plan({0}, {0}).parts, 0u);
    EXPECT_EQ(plan({0, -1, -1, 1, 0}, {0}).parts, 0u);
}

TEST(PartPlan, RefusesWhatIsNoCut) {
    const auto broken = [](const PartRange& range, const char* message) {
        expect_error<ModelError>([&] { plan(range, {2, 5}); }, message);
    };
    broken({2}, "input 0 of shape [2,5] has no axis 2");
    broken({-1}, "has no axis -1");
    broken({1, 0, 1, 0, -1}, "part_size is 0 and stride 1");
    broken({1, 0, 0, 1, -1}, "stride 0");
    broken({1, 0, 1, 1, 5}, "the range from 0 to 5 doesn't lie in axis 1");
    broken({1, -7, 1, 1, -1}, "the range from -7 to -1 doesn't lie in axis 1");
    broken({1, 4, 1, 1, 1}, "the range from 4 to 1");
    broken({1, 0, 2, 2, -1}, "5 elements of axis 1 don't divide into parts of 2");
    expect_error<UnsupportedError>(
        [&] {
            plan({1, 0, 2, 1, -1}, {2, 5});
        },
        "parts of 1 with stride 2 are not supported");
}

}  // namespace
}  // namespace rondo::body_ports_test
