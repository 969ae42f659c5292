// Tests a part of core/ops/source/source_ops.hpp.
#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::result_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(Result, HasItsInputsTypeAndShape) {
    EXPECT_EQ(inferred(*make_node<ops::Result>(parameter("2,?", ElementType::i8))), "i8[2,?]");
    EXPECT_EQ(inferred(*make_node<ops::Result>(parameter("..."))), "f32[...]");
    EXPECT_EQ(ops::find_op("Result", "opset1")->type, &ops::Result::kType);
}

TEST(Result, HasNoAttributes) {
    ops::Result node;
    EXPECT_TRUE(attributes_of(node).empty());
}

TEST(Result, RefusesAnyOtherNumberOfInputs) {
    const auto none = unchecked<ops::Result>({});
    expect_error<ModelError>([&] { none->validate(); },
                             "node 'n' (Result): got 0 inputs; expected 1");
    const auto two = unchecked<ops::Result>({parameter("2"), parameter("2")});
    expect_error<ModelError>([&] { two->validate(); }, "got 2 inputs; expected 1");
}

}  // namespace
}  // namespace rondo::result_test
