#include "core/runtime/variable_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::variable_value_test {
namespace {

// v of that shape, from x where it has an init input.
VariableValue value_of(const std::string& shape, bool has_init = false) {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    b.assign("v", b.read("v", shape, has_init ? std::vector<Output>{x} : std::vector<Output>{}));
    return std::move(variable_values(*b.graph()).at(0));
}

TEST(VariableValue, StartsAsZerosAsSmallAsItMayBe) {
    EXPECT_EQ(value_of("[2,3]").name(), "v");
    expect_same(value_of("[2,3]").value(), Tensor(ElementType::f32, {2, 3}));
    expect_same(value_of("[?,2..5]").copy(), Tensor(ElementType::f32, {0, 2}));
}

TEST(VariableValue, IsEmptyWhereItStartsFromTheInitInput) {
    EXPECT_FALSE(value_of("[2,3]", true).value());
    expect_same(value_of("[2,3]", true).copy(), Tensor(ElementType::f32, {2, 3}));
    expect_same(value_of("[...]", true).copy(), Tensor(ElementType::f32, {0}));
}

TEST(VariableValue, TakesTurns) {
    auto variable = value_of("[1]", true);
    variable.stage({1}).data<float>()[0] = 5;
    EXPECT_FALSE(variable.value());
    variable.commit();
    const void* first = variable.value().data();
    expect_same(variable.value(), tensor_of<float>({1}, {5}));
    variable.stage({1}).data<float>()[0] = 6;
    expect_same(variable.value(), tensor_of<float>({1}, {5}));
    variable.commit();
    expect_same(variable.value(), tensor_of<float>({1}, {6}));
    EXPECT_EQ(variable.stage({1}).data(), first);
}

TEST(VariableValue, IsSetAndReset) {
    for (const bool has_init : {false, true}) {
        auto variable = value_of("[?,2]", has_init);
        Tensor tensor = tensor_of<float>({2, 2}, {1, 2, 3, 4});
        variable.set(tensor);
        tensor.data<float>()[0] = 9;  // it was copied
        expect_same(variable.value(), tensor_of<float>({2, 2}, {1, 2, 3, 4}));
        variable.copy().data<float>()[0] = 9;
        expect_same(variable.value(), tensor_of<float>({2, 2}, {1, 2, 3, 4}));
        variable.reset();
        EXPECT_EQ(static_cast<bool>(variable.value()), !has_init);
        expect_same(variable.copy(), Tensor(ElementType::f32, {0, 2}));
    }
}

// A smaller shape leaves the memory of a larger one, which comes back without an allocation.
TEST(VariableValue, KeepsMemoryWhileItsShapeChanges) {
    auto variable = value_of("[?]");
    const auto next = [&](std::size_t count, float value) {
        Tensor& staged = variable.stage({count});
        std::fill_n(staged.data<float>(), count, value);
        variable.commit();
        return variable.value().data();
    };
    const void* other = next(100, 1);
    const void* first = next(100, 2);
    next(3, 3);
    EXPECT_EQ(next(50, 4), first);
    expect_same(variable.value(), tensor_of<float>({50}, std::vector<float>(50, 4)));
    variable.reset();
    next(7, 5);
    EXPECT_EQ(variable.stage({100}).data(), other);
    expect_same(variable.value(), tensor_of<float>({7}, std::vector<float>(7, 5)));
}

TEST(VariableValue, IsZerosAfterAResetIntoUsedMemory) {
    auto variable = value_of("[2]");
    for (int i = 0; i < 2; ++i) {
        variable.stage({2}).data<float>()[1] = 7;
        variable.commit();
    }
    variable.reset();
    expect_same(variable.value(), Tensor(ElementType::f32, {2}));
}

TEST(VariableValue, TakesStridedTensors) {
    auto variable = value_of("[2]");
    float memory[] = {1, 9, 2, 9};
    variable.set(Tensor(ElementType::f32, {2}, memory, {8}));
    expect_same(variable.value(), tensor_of<float>({2}, {1, 2}));
}

TEST(VariableValue, SaysWhatDoesNotFit) {
    auto variable = value_of("[?,2]");
    expect_error<ModelError>(
        [&] {
            variable.set(Tensor(ElementType::f32, {2, 3}));
        },
        "variable 'v': got f32[2,3]; expected f32[?,2]");
    expect_error<ModelError>(
        [&] {
            variable.set(Tensor(ElementType::f64, {2, 2}));
        },
        "variable 'v': got f64[2,2]; expected f32[?,2]");
    expect_error<ModelError>([&] { variable.set({}); }, "variable 'v': the tensor is empty");
    expect_error<ModelError>(
        [&] {
            variable.stage({2, 3});
        },
        "node 'assign_v' (Assign): variable 'v' can't become a tensor of shape "
        "[2,3]; expected [?,2]");
}

}  // namespace
}  // namespace rondo::test::variable_value_test
