// Tests a part of core/ops/state/variables.hpp.
#include "core/ops/state/variables.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::assign_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

TEST(Assign, HandsItsInputOn) {
    const auto node = make_node<ops::Assign>(parameter("?,3", ElementType::f16), "v");
    EXPECT_EQ(inferred(*node), "f16[?,3]");
    EXPECT_EQ(attributes_of(*node), (Texts{{"variable_id", "v"}}));
    EXPECT_EQ(inferred(*make_node<ops::Assign3>(parameter("2"), "v")), "f32[2]");
}

TEST(Assign, HasTwoForms) {
    EXPECT_EQ(ops::find_op("Assign", "opset3")->type->opset, 3);
    EXPECT_EQ(ops::find_op("Assign", "opset13")->type->opset, 6);
    EXPECT_EQ(ops::find_op("Assign", "opset2"), nullptr);
}

TEST(Assign, SaysWhatIsWrong) {
    const auto nameless = unchecked<ops::Assign>({parameter("2")});
    expect_error<ModelError>([&] { nameless->validate(); },
                             "node 'n' (Assign): variable_id is missing or empty");
    const auto bare = unchecked<ops::Assign>({});
    read_attributes(*bare, {{"variable_id", "v"}});
    expect_error<ModelError>([&] { bare->validate(); }, "node 'n' (Assign): ");
}

}  // namespace
}  // namespace rondo::assign_test
