#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::squeeze_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, const Ints& axes) {
    return inferred(*named<ops::Squeeze>(parameter(data), ints(axes)));
}

TEST(Squeeze, RemovesTheNamedAxes) {
    EXPECT_EQ(shape_after("1,3,1", {0}), "f32[3,1]");
    EXPECT_EQ(shape_after("1,3,1", {0, -1}), "f32[3]");
    EXPECT_EQ(shape_after("1,3,1", {0, 0, -3}), "f32[3,1]");
    EXPECT_EQ(shape_after("?,3,1", {0}), "f32[3,1]");
    EXPECT_EQ(shape_after("...", {0}), "f32[...]");
    EXPECT_EQ(inferred(*named<ops::Squeeze>(parameter("1,3"), scalar_int(0))), "f32[3]");
}

TEST(Squeeze, RemovesAllOnesWithoutAxes) {
    EXPECT_EQ(inferred(*named<ops::Squeeze>(parameter("1,3,1"))), "f32[3]");
    EXPECT_EQ(inferred(*named<ops::Squeeze>(parameter("2..,3,1"))), "f32[2..,3]");
    EXPECT_EQ(inferred(*named<ops::Squeeze>(parameter("?,3,1"))), "f32[...]");
    EXPECT_EQ(shape_after("1,3,1", {}), "f32[3]");
}

TEST(Squeeze, KnowsNothingWithoutTheAxes) {
    EXPECT_EQ(inferred(*named<ops::Squeeze>(parameter("1,3"), unknown_ints("1"))), "f32[...]");
}

TEST(Squeeze, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("1,3", {1}); },
                             "node 'n' (Squeeze): axis 1 of data of shape [1,3] can't be removed; "
                             "expected extent 1");
    expect_error<ModelError>([] { shape_after("2..4,3", {0}); }, "axis 0");
    expect_error<ModelError>([] { shape_after("1,3", {2}); }, "axis 2 is out of range for rank 2");
    expect_error<ModelError>([] { shape_after("1,3", {kLowest}); }, "is out of range");
    expect_error<ModelError>([] { named<ops::Squeeze>(parameter("1"), unknown_ints("1,1")); },
                             "axes has shape [1,1]");
    const auto none = unchecked<ops::Squeeze>({});
    expect_error<ModelError>([&] { none->validate(); }, "got 0 inputs; expected 1 to 2");
}

TEST(Squeeze, ReadsWhatOpset15Added) {
    const auto node = unchecked<ops::Squeeze>({parameter("1,3"), ints({0})});
    read_attributes(*node, {{"allow_axis_skip", "false"}});
    node->validate();
    EXPECT_EQ(inferred(*node), "f32[3]");
    EXPECT_EQ(attributes_of(*node), Texts());
}

TEST(Squeeze, SkipsOnlyWhatIsKnownToGo) {
    const auto may_skip = [](std::string_view data, const std::vector<Output>& axes) {
        std::vector<Output> inputs{parameter(data)};
        inputs.insert(inputs.end(), axes.begin(), axes.end());
        const auto node = unchecked<ops::Squeeze>(inputs);
        read_attributes(*node, {{"allow_axis_skip", "true"}});
        node->validate();
        return inferred(*node);
    };
    EXPECT_EQ(may_skip("1,3", {ints({0})}), "f32[3]");
    EXPECT_EQ(may_skip("1,3", {}), "f32[3]");
    const std::string skip = "allow_axis_skip is true, and ";
    expect_error<UnsupportedError>([&] { may_skip("2,3", {ints({0})}); },
                                   skip + "axis 0 has extent 2; expected 1");
    expect_error<UnsupportedError>([&] { may_skip("?,3", {ints({0})}); },
                                   skip + "axis 0 has extent ?; expected 1");
    expect_error<UnsupportedError>([&] { may_skip("...", {ints({0})}); }, skip + "the axes or");
    expect_error<UnsupportedError>([&] { may_skip("1,3", {unknown_ints("1")}); },
                                   skip + "the axes or");
}

TEST(Squeeze, CopiesTheElements) {
    const ops::Squeeze op;
    expect_moves_every_type(op, counting({1, 3, 1}), {int_vector({2})});
    expect_same(evaluate_one(op, {counting({1, 3, 1}), int_vector({2})}), counting({1, 3}));
    expect_same(evaluate_one(op, {counting({1, 3, 1})}), counting({3}));
    EXPECT_EQ(evaluate_one(op, {counting({1, 0}), int_vector({0})}).shape(), (Shape{0}));
    EXPECT_EQ(ops::find_op("Squeeze", "opset13")->type, &ops::Squeeze::kType);
}

}  // namespace
}  // namespace rondo::squeeze_test
