#include "plugins/cpu/plugin/plan/memory_limit.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/unary.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::cpu {
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

}  // namespace
}  // namespace rondo::cpu
