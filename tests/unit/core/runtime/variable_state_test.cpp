// Variables of a request: looking at them, setting and resetting them.
#include "rondo/variable_state.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::variable_state_test {
namespace {

// x -> y = sum, the sum of all x so far.
Model sum_model() {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output sum =
        b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.read("sum", "[2]"), x);
    b.assign("sum", sum);
    b.output("y", sum);
    return Model(b.graph());
}

Tensor next(InferRequest& request) {
    request.set_input_tensor(tensor_of<float>({2}, {1, 2}));
    request.infer();
    return request.get_output_tensor();
}

class VariableStateTest : public ::testing::TestWithParam<const char*> {
protected:
    CompiledModel compiled_ = Core().compile_model(sum_model(), GetParam());
    InferRequest request_ = compiled_.create_infer_request();
};
INSTANTIATE_TEST_SUITE_P(Devices, VariableStateTest, testing::Values("CPU", "REFERENCE"));

TEST_P(VariableStateTest, LivesFromOneInferenceToTheNext) {
    expect_same(next(request_), tensor_of<float>({2}, {1, 2}));
    expect_same(next(request_), tensor_of<float>({2}, {2, 4}));
    const auto states = request_.query_state();
    ASSERT_EQ(states.size(), 1u);
    EXPECT_EQ(states[0].get_name(), "sum");
    expect_same(states[0].get_state(), tensor_of<float>({2}, {2, 4}));
}

TEST_P(VariableStateTest, CanBeSetAndReset) {
    auto state = request_.query_state().at(0);
    expect_same(state.get_state(), tensor_of<float>({2}, {0, 0}));
    state.set_state(tensor_of<float>({2}, {10, 20}));
    expect_same(next(request_), tensor_of<float>({2}, {11, 22}));
    state.reset();
    expect_same(next(request_), tensor_of<float>({2}, {1, 2}));
    request_.reset_state();
    expect_same(state.get_state(), tensor_of<float>({2}, {0, 0}));
    expect_error<ModelError>([&] { state.set_state(Tensor(ElementType::f32, {3})); },
                             "variable 'sum': got f32[3]; expected f32[2]");
}

TEST_P(VariableStateTest, BelongsToItsRequest) {
    auto other = compiled_.create_infer_request();
    next(request_);
    next(request_);
    expect_same(next(other), tensor_of<float>({2}, {1, 2}));
    expect_same(next(request_), tensor_of<float>({2}, {3, 6}));
    request_.reset_state();
    expect_same(next(other), tensor_of<float>({2}, {2, 4}));
}

TEST_P(VariableStateTest, KeepsItsRequestAlive) {
    next(request_);
    auto state = request_.query_state().at(0);
    request_ = {};
    compiled_ = {};
    expect_same(state.get_state(), tensor_of<float>({2}, {1, 2}));
}

TEST(VariableState, RefusesToBeUsedWhileAnInferenceRuns) {
    auto request = CompiledModel(fake_model(wait_for_cancel)).create_infer_request();
    EXPECT_TRUE(request.query_state().empty());
    EXPECT_NO_THROW(request.reset_state());
    request.set_input_tensor(Tensor(ElementType::f32, {1, 2}));
    request.start_async();
    expect_error<ModelError>([&] { request.query_state(); }, "the request is busy");
    expect_error<ModelError>([&] { request.reset_state(); }, "the request is busy");
    request.cancel();
    expect_error<CancelledError>([&] { request.wait(); }, "cancelled");
    EXPECT_TRUE(request.query_state().empty());
}

TEST(VariableState, AnEmptyHandleSaysSo) {
    VariableState state;
    EXPECT_FALSE(state);
    expect_error<ModelError>([&] { state.get_name(); }, "the variable state is empty");
    expect_error<ModelError>([&] { state.reset(); }, "the variable state is empty");
    InferRequest request;
    expect_error<ModelError>([&] { request.query_state(); }, "the request is empty");
}

}  // namespace
}  // namespace rondo::test::variable_state_test
