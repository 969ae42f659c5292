// Tests a part of plugins/cpu/nodes/source/source_nodes.cpp.
#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/nodes/node_list.hpp"

namespace rondo::cpu::shape_of_node_test {
namespace {

// A device would know the shape before it runs: this is the call for runs that come to it.
TEST(ShapeOfNode, WritesTheShape) {
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape::of_rank(3));
    const auto op = make_node<ops::ShapeOf>(x, ElementType::i32);
    const auto node = make_cpu_node(*op, {});
    const TensorInfo input{ElementType::f32, {4, 0, 7}, {}, true};
    const TensorInfo output{ElementType::i32, {3}, {}, true};
    const auto call = node->prepare({{&input, 1}, {&output, 1}, 1});
    std::int32_t shape[3] = {};
    const void* const from[] = {nullptr};
    void* const to[] = {shape};
    SerialTeam team;
    call->run({from, to, nullptr, team});
    EXPECT_EQ(shape[0], 4);
    EXPECT_EQ(shape[1], 0);
    EXPECT_EQ(shape[2], 7);
}

}  // namespace
}  // namespace rondo::cpu::shape_of_node_test
