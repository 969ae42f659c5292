// Nodes whose element types come with the inputs of an inference.
#include <gtest/gtest.h>

#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/nodes/node_list.hpp"

namespace rondo::cpu::open_type_node_test {
namespace {

NodePtr product(ElementType type) {
    const auto a = make_node<ops::Parameter>(type, PartialShape::of_rank(2));
    const auto b = make_node<ops::Parameter>(type, PartialShape::of_rank(2));
    return make_node<ops::MatMul>(a, b);
}

// [1,2] x [2,1] of these numbers, with one node for all types.
template <typename T>
T run(const CpuNode& node, std::vector<T> a, std::vector<T> b) {
    const ElementType type = element_type_of<T>();
    const TensorInfo inputs[] = {{type, {1, 2}, {}, true}, {type, {2, 1}, {}, true}};
    const TensorInfo output{type, {1, 1}, {}, true};
    const auto call = node.prepare({inputs, {&output, 1}, 1});
    AlignedBytes scratch(call->scratch_bytes() + 1);
    T result{};
    const void* const from[] = {a.data(), b.data()};
    void* const to[] = {&result};
    SerialTeam team;
    call->run({from, to, scratch.data(), team});
    return result;
}

TEST(OpenTypeNode, ChoosesTheKernelWhenTheTypeIsKnown) {
    const auto op = product(ElementType::dynamic);
    const auto node = make_cpu_node(*op, {});
    EXPECT_EQ(node->kernel_name(), "open");
    EXPECT_EQ(run<double>(*node, {1, 2}, {3, 4.5}), 12.0);
    EXPECT_EQ(run<float>(*node, {1, 2}, {3, 4.5f}), 12.0f);
    EXPECT_EQ(run<std::int8_t>(*node, {100, 1}, {2, 5}), std::int8_t{-51});
}

TEST(OpenTypeNode, KnowsOpenTypes) {
    EXPECT_TRUE(has_open_type(*product(ElementType::dynamic)));
    EXPECT_FALSE(has_open_type(*product(ElementType::f32)));
}

}  // namespace
}  // namespace rondo::cpu::open_type_node_test
