#include "tools/rondo/benchmark/roofline.hpp"

#include <gtest/gtest.h>

namespace rondo::tool::roofline_test {
namespace {

NodeInfo node(const std::string& type, std::vector<NodeInfo::Source> inputs,
              const PartialShape& shape, ElementType element_type = ElementType::f32) {
    return {type, type, "opset1", {}, std::move(inputs), {{{type}, element_type, shape}}};
}

// Two inputs of these shapes and a node that reads them; the second one is a constant.
std::optional<NodeWork> work(const std::string& type, const PartialShape& a, const PartialShape& b,
                             const PartialShape& result) {
    const std::vector<NodeInfo> nodes{node("Parameter", {}, a), node("Const", {}, b),
                                      node(type, {{0, 0}, {1, 0}}, result)};
    return work_of(nodes[2], nodes);
}

TEST(Roofline, CountsMultiplyAdds) {
    EXPECT_EQ(work("MatMul", {2, 10}, {10, 20}, {2, 20})->flops, 2.0 * 2 * 20 * 10);
    EXPECT_EQ(work("Convolution", {1, 3, 8}, {4, 3, 5}, {1, 4, 4})->flops, 2.0 * 4 * 4 * 3 * 5);
    EXPECT_EQ(work("GroupConvolution", {1, 6, 8}, {3, 4, 2, 5}, {1, 12, 4})->flops,
              2.0 * 12 * 4 * 2 * 5);
    EXPECT_EQ(work("ConvolutionBackpropData", {1, 3, 8}, {3, 4, 5}, {1, 4, 12})->flops,
              2.0 * 3 * 8 * 4 * 5);
    EXPECT_EQ(work("Add", {2, 10}, {2, 10}, {2, 10})->flops, 0);
}

TEST(Roofline, CountsWeightsOfLayersOnceAStep) {
    std::vector<NodeInfo> nodes{node("Parameter", {}, {2, 7, 3}), node("Parameter", {}, {2, 1, 4}),
                                node("Const", {}, {1, 16, 3}), node("Const", {}, {1, 16, 4}),
                                node("Const", {}, {1, 16})};
    nodes.push_back(node("LSTMSequence", {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}, {2, 1, 7, 4}));
    EXPECT_EQ(work_of(nodes[5], nodes)->flops, 2.0 * 2 * 7 * 16 * (3 + 4));
}

TEST(Roofline, CountsBytes) {
    EXPECT_EQ(work("Add", {2, 10}, {10}, {2, 10})->bytes, 4.0 * (20 + 10 + 20));
    EXPECT_EQ(work("Gather", {1000, 10}, {3}, {3, 10})->bytes, 4.0 * (30 + 3 + 30));
}

TEST(Roofline, SaysNothingWhereItKnowsNothing) {
    EXPECT_FALSE(work("Add", {Dimension(), 10}, {10}, {Dimension(), 10}));
    EXPECT_FALSE(work("NonZero", {2}, {2}, {2}));
    EXPECT_FALSE(work("Loop", {2}, {2}, {2}));
}

TEST(Roofline, ComparesWithTheLargerOfBoth) {
    const std::vector<NodeInfo> nodes{node("Parameter", {}, {1, 100}),
                                      node("Const", {}, {100, 100}),
                                      node("MatMul", {{0, 0}, {1, 0}}, {1, 100})};
    ProfilingInfo row;
    row.status = ProfilingInfo::ExecutionStatus::executed;
    row.node_name = "MatMul";
    row.real_time_ns = std::chrono::microseconds(100);
    // 20000 flops; 40800 bytes.
    EXPECT_NEAR(limit_shares({row}, nodes, {1000, 1e9, "l2", 1}).at("MatMul"), 0.2, 1e-9);
    EXPECT_NEAR(limit_shares({row}, nodes, {1e9, 1000, "l2", 1}).at("MatMul"), 0.408, 1e-9);
    row.real_time_ns = std::chrono::nanoseconds(900);
    EXPECT_TRUE(limit_shares({row}, nodes, {1e9, 1000, "l2", 1}).empty());
    EXPECT_EQ(total_bytes(nodes), 40800);
}

// Two layers that ran as one have a row of both names.
TEST(Roofline, AddsWhatRanAsOne) {
    std::vector<NodeInfo> nodes{node("Parameter", {}, {1, 100}), node("Const", {}, {100, 100}),
                                node("MatMul", {{0, 0}, {1, 0}}, {1, 100}),
                                node("MatMul", {{2, 0}, {1, 0}}, {1, 100})};
    nodes[2].name = "first";
    nodes[3].name = "second";
    ProfilingInfo row;
    row.status = ProfilingInfo::ExecutionStatus::executed;
    row.node_name = "first + second";
    row.real_time_ns = std::chrono::microseconds(100);
    EXPECT_NEAR(limit_shares({row}, nodes, {1000, 1e9, "l2", 1}).at("first + second"), 0.4, 1e-9);
    row.node_name = "first + third";
    EXPECT_TRUE(limit_shares({row}, nodes, {1000, 1e9, "l2", 1}).empty());
}

TEST(Roofline, MeasuresTheMachine) {
    const MachineLimits limits = measure_limits("plain", 1, 1000);
    EXPECT_GT(limits.flops, 0);
    EXPECT_GT(limits.bytes, 0);
    EXPECT_EQ(limits.level, "l2");
    EXPECT_NE(to_text(limits).find("GB/s from l2, 1 thread"), std::string::npos);
}

}  // namespace
}  // namespace rondo::tool::roofline_test
