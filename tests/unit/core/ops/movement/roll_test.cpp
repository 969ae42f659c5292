#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::roll_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string shape_after(std::string_view data, const Output& shift, const Output& axes) {
    return inferred(*named<ops::Roll>(parameter(data), shift, axes));
}

Tensor rolled(const Tensor& data, const Tensor& shift, const Tensor& axes) {
    ops::Roll op;
    op.set_name("n");
    return evaluate_one(op, {data, shift, axes});
}

TEST(Roll, KeepsTheShape) {
    EXPECT_EQ(shape_after("2,3", ints({1}), ints({-1})), "f32[2,3]");
    EXPECT_EQ(shape_after("?,1..4", ints({1, 2}), ints({0, 1})), "f32[?,1..4]");
    EXPECT_EQ(shape_after("...", unknown_ints("?"), unknown_ints("?")), "f32[...]");
}

TEST(Roll, RefusesWrongInputs) {
    const auto refused = [](const Output& shift, const Output& axes, std::string_view message) {
        expect_error<ModelError>([&] { shape_after("2,3", shift, axes); }, message);
    };
    refused(ints({1}), ints({2}), "node 'n' (Roll): axis 2 is out of range for rank 2");
    refused(ints({1}), ints({0, -3}), "axis -3 is out of range for rank 2");
    refused(ints({1, 2}), ints({0}),
            "shift has 2 elements and axes 1 element; expected as many, or one shift");
    refused(unknown_ints("2,1"), ints({0}), "shift has shape [2,1]; expected a vector");
    refused(parameter("1"), ints({0}), "shift has type f32; expected integers");
}

// The documentation of OpenVINO's Roll-7.
TEST(Roll, MovesElementsRound) {
    const Tensor data = counting({4, 3});
    expect_same(rolled(data, int_scalar(1), int_scalar(0)),
                floats({4, 3}, {9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
    expect_same(rolled(data, int_scalar(-1), int_scalar(1)),
                floats({4, 3}, {1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11, 9}));
    expect_same(rolled(data, int_vector({-1, 2}), int_vector({0, 1})),
                floats({4, 3}, {4, 5, 3, 7, 8, 6, 10, 11, 9, 1, 2, 0}));
    expect_moves_every_type(ops::Roll(), data, {int_vector({-1, 2}), int_vector({0, 1})});
}

TEST(Roll, AddsTheShiftsOfAnAxis) {
    const Tensor data = counting({5});
    const Tensor by_one = floats({5}, {4, 0, 1, 2, 3});
    expect_same(rolled(data, int_vector({3, -2}), int_vector({0, -1})), by_one);
    // 3 + 3 = 5 + 1
    expect_same(rolled(data, int_scalar(3), int_vector({0, 0})), by_one);
    expect_same(rolled(data, int_vector({kHighest, kHighest}), int_vector({0, 0})),
                rolled(data, int_scalar(2 * (kHighest % 5)), int_scalar(0)));
    expect_same(rolled(data, int_scalar(kLowest), int_scalar(0)),
                rolled(data, int_scalar(kLowest % 5), int_scalar(0)));
}

TEST(Roll, OfNothingIsNothing) {
    const Tensor none(ElementType::f32, {2, 0});
    expect_same(rolled(none, int_scalar(1), int_vector({0, 1})), none);
    expect_same(rolled(counting({3}), int_vector({}), int_vector({})), counting({3}));
    expect_error<ModelError>([] { rolled(counting({3}), int_scalar(1), int_scalar(1)); },
                             "axis 1 is out of range for rank 1");
}

}  // namespace
}  // namespace rondo::roll_test
