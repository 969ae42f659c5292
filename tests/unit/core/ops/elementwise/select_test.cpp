// Tests a part of core/ops/elementwise/elementwise_ops.hpp.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::select_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(Select, IsListed) {
    const auto node = ops::find_op("Select", "opset1")->make();
    ASSERT_EQ(attributes_of(*node).size(), 1u);
    EXPECT_EQ(attributes_of(*node)[0].first, "auto_broadcast");
}

TEST(Select, BroadcastsAllThree) {
    const auto flags = parameter("2,1,1", ElementType::boolean);
    EXPECT_EQ(inferred(*make_node<ops::Select>(flags, parameter("3,1"), parameter("4"))),
              "f32[2,3,4]");
    EXPECT_EQ(inferred(*make_node<ops::Select>(flags, parameter("?", ElementType::i64),
                                               parameter("", ElementType::i64))),
              "i64[2,1,?]");
}

TEST(Select, RefusesBadInputs) {
    const auto numbers = unchecked<ops::Select>({parameter("2"), parameter("2"), parameter("2")});
    expect_error<UnsupportedError>([&] { numbers->validate(); },
                                   "node 'n' (Select): the condition is f32; expected boolean");
    const auto flags = parameter("2", ElementType::boolean);
    const auto mixed =
        unchecked<ops::Select>({flags, parameter("2"), parameter("2", ElementType::i8)});
    expect_error<ModelError>([&] { mixed->validate(); }, "input 2 has type i8; expected f32");
    const auto none = unchecked<ops::Select>({flags, parameter("2"), parameter("1")});
    none->set_auto_broadcast(ops::AutoBroadcast::none);
    expect_error<ModelError>([&] { none->validate(); },
                             "the inputs have shapes [2] and [1]; expected equal ones");
}

TEST(Select, CopiesElementsToTheBit) {
    const auto flags = tensor_of<bool>({2, 1}, {true, false});
    const float nan = std::nanf("0x123");
    const auto result =
        evaluate_one(ops::Select(), {flags, tensor_of<float>({2}, {nan, -0.0F}), scalar_of(5.0F)});
    expect_same(result, tensor_of<float>({2, 2}, {nan, -0.0F, 5, 5}));
    const auto most = std::numeric_limits<std::int64_t>::max();
    expect_same(evaluate_one(ops::Select(), {scalar_of(false), scalar_of<std::int64_t>(1),
                                             tensor_of<std::int64_t>({2}, {most, -7})}),
                tensor_of<std::int64_t>({2}, {most, -7}));
}

}  // namespace
}  // namespace rondo::select_test
