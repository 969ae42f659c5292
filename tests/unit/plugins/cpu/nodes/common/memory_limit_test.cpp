#include "plugins/cpu/nodes/common/memory_limit.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::cpu::memory_limit_test {
namespace {

using test::expect_error;

TEST(MemoryLimit, IsThatOfTheMachine) {
    EXPECT_GT(machine_memory(), std::size_t{64} << 20);
    EXPECT_NO_THROW(check_total(machine_memory()));
    expect_error<ModelError>([] { check_total(machine_memory() + 1); },
                             "these input shapes need " + std::to_string(machine_memory() + 1) +
                                 " bytes of memory; this machine has " +
                                 std::to_string(machine_memory()));
}

TEST(MemoryLimit, AnOutputsBytesAreCounted) {
    test::GraphBuilder b;
    const Output node = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, b.input("x", "[?,?]"));
    const auto bytes = [&](const Shape& shape, ElementType type = ElementType::f32) {
        return checked_bytes(node.node(), {type, shape, {}, true});
    };
    EXPECT_EQ(bytes({3, 5}), 60u);
    EXPECT_EQ(bytes({3, 5}, ElementType::i64), 120u);
    EXPECT_EQ(bytes({0, 5}), 0u);
    const std::string place = "node 'relu' (ReLU): the output of shape ";
    expect_error<ModelError>([&] { bytes({machine_memory(), 1}); }, place);
    // More elements than 64 bits count, and more bytes.
    const std::size_t side = std::size_t{1} << 40;
    expect_error<ModelError>(
        [&] {
            bytes({side, side});
        },
        place + "[1099511627776,1099511627776] is too large: ");
    expect_error<ModelError>([&] { bytes({std::size_t{1} << 62, 1}); }, "is too large: ");
}

TEST(MemoryLimit, IsThatOfTheUserWhereOneIsSet) {
    test::GraphBuilder b;
    const Output node = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, b.input("x", "[?,?]"));
    ModelLimits limits;
    limits.tensor_bytes = 60;
    limits.plan_bytes = 100;
    EXPECT_EQ(checked_bytes(node.node(), {ElementType::f32, {3, 5}, {}, true}, limits), 60u);
    expect_error<ModelError>(
        [&] {
            checked_bytes(node.node(), {ElementType::f32, {4, 4}, {}, true}, limits);
        },
        "node 'relu' (ReLU): the output of shape [4,4] is too large: it has 64 bytes; the limit is "
        "60 (property 'MAX_TENSOR_BYTES')");
    EXPECT_NO_THROW(check_total(100, limits));
    expect_error<ModelError>([&] { check_total(101, limits, [] { return "; most of them x"; }); },
                             "these input shapes need 101 bytes of memory; the limit is 100 "
                             "(property 'MAX_PLAN_BYTES'); most of them x");
}

}  // namespace
}  // namespace rondo::cpu::memory_limit_test
