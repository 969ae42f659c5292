#include "core/ops/op_list.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ops::port_adoption_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr auto port_name = [](std::string_view port) { return "n/" + std::string(port); };

// A CumSum along `axis`, adopted and validated.
NodePtr cum_sum(const Output& axis) {
    const auto node = unchecked<CumSum>({parameter("2,3"), axis});
    adopt_ports(*node, port_name);
    node->validate();
    return node;
}

Output typed(ElementType type, const Shape& shape, std::uint64_t value) {
    Tensor tensor(type, shape);
    if (type == ElementType::u64) *tensor.data<std::uint64_t>() = value;
    if (type == ElementType::u8) *tensor.data<std::uint8_t>() = static_cast<std::uint8_t>(value);
    return constant(tensor);
}

TEST(PortAdoption, MakesAnotherConstantOfAConstant) {
    const Output given = ints({1});
    const NodePtr node = cum_sum(given);
    EXPECT_EQ(node->input(1).node().name(), "n/axis");
    expect_same(known_value(node->input(1)), int_scalar(1));
    EXPECT_EQ(inferred(given.node()), "i64[1]");  // others may read it
    expect_same(known_value(cum_sum(typed(ElementType::u8, {1}, 1))->input(1)), int_scalar(1));
    expect_same(known_value(cum_sum(typed(ElementType::u64, {}, 1))->input(1)), int_scalar(1));
}

TEST(PortAdoption, PutsNodesBehindWhatTheRunTells) {
    for (const char* shape : {"1", "?", "..."}) {
        const NodePtr node = cum_sum(unknown_ints(shape));
        EXPECT_EQ(inferred(node->input(1).node()), "i64[]") << shape;
        EXPECT_NE(as_op<Reshape>(node->input(1).node()), nullptr) << shape;
    }
    const NodePtr converted = cum_sum(parameter("1", ElementType::u8));
    EXPECT_EQ(converted->input(1).node().name(), "n/axis");
    EXPECT_EQ(converted->input(1).node().input(0).node().name(), "n/axis_i64");
}

TEST(PortAdoption, MakesAVectorOfAScalar) {
    const auto node = unchecked<Slice>(
        {parameter("4"), scalar_int(1), parameter("", ElementType::i64), ints({1}), ints({0})});
    adopt_ports(*node, port_name);
    node->validate();
    expect_same(known_value(node->input(1)), int_vector({1}));
    EXPECT_EQ(inferred(node->input(2).node()), "i64[1]");
    EXPECT_EQ(node->input(3).node().name(), "ints");
    EXPECT_EQ(inferred(*node), "f32[..4]");
}

TEST(PortAdoption, LeavesWhatFits) {
    const Output axis = scalar_int(1), open = unknown_ints("");
    EXPECT_EQ(cum_sum(axis)->input(1), axis);
    EXPECT_EQ(cum_sum(open)->input(1), open);
    // OpenVINO takes both here.
    const Output vector = ints({1});
    const auto gather = unchecked<Gather>({parameter("2,3"), scalar_int(0), vector});
    adopt_ports(*gather, port_name);
    EXPECT_EQ(gather->input(2), vector);
}

TEST(PortAdoption, LeavesWhatFitsNoFormToInference) {
    expect_error<ModelError>([] { cum_sum(ints({0, 1})); }, "axis holds 2 elements; expected 1");
    expect_error<ModelError>([] { cum_sum(parameter("1")); }, "axis has type f32");
    expect_error<ModelError>([] { cum_sum(parameter("1,1", ElementType::i64)); },
                             "axis has shape [1,1]");
    expect_error<ModelError>([] { cum_sum(typed(ElementType::u64, {}, ~0ULL)); },
                             "holds values above 2^63");
}

}  // namespace
}  // namespace rondo::ops::port_adoption_test
