#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::broadcast_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Mode = ops::BroadcastMode;

std::string shape_after(std::string_view data, const Output& target, Mode mode = Mode::numpy) {
    return inferred(*named<ops::Broadcast>(parameter(data), target, mode));
}

std::string shape_after(std::string_view data, const Ints& target, Mode mode = Mode::numpy) {
    return shape_after(data, ints(target), mode);
}

std::string explicit_shape(std::string_view data, const Ints& target, const Output& mapping) {
    return inferred(*named<ops::Broadcast>(parameter(data), ints(target), mapping));
}

std::shared_ptr<Node> broadcast(const std::string& mode) {
    const auto node = unchecked<ops::Broadcast>({});
    read_attributes(*node, {{"mode", mode}});
    return node;
}

TEST(Broadcast, ReadsAndWritesItsAttributes) {
    ops::Broadcast op;
    EXPECT_EQ(attributes_of(op), (Texts{{"mode", "numpy"}}));
    for (const std::string mode : {"explicit", "bidirectional", "numpy"}) {
        EXPECT_EQ(attributes_of(*broadcast(mode)), (Texts{{"mode", mode}}));
    }
    expect_error<ModelError>([] { broadcast("pdpd"); }, "attribute 'mode' is 'pdpd'; expected one");
}

TEST(Broadcast, ReadsTheOlderForm) {
    const auto* entry = ops::find_op("Broadcast", "opset1");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->type->opset, 1);
    EXPECT_EQ(entry->make()->op_type().opset, 3);
    EXPECT_EQ(attributes_of(*broadcast("none")), (Texts{{"mode", "explicit"}}));
    // Opset 1 hangs a dummy axes_mapping on the numpy mode.
    const auto node = unchecked<ops::Broadcast>({parameter("3"), ints({2, 3}), ints({0})});
    node->validate();
    EXPECT_EQ(inferred(*node), "f32[2,3]");
}

TEST(Broadcast, GivesTheTargetsShape) {
    EXPECT_EQ(shape_after("3,1", {2, 3, 4}), "f32[2,3,4]");
    EXPECT_EQ(shape_after("", {2}), "f32[2]");
    EXPECT_EQ(shape_after("", Ints{}), "f32[]");
    EXPECT_EQ(shape_after("?,1", {2, 0}), "f32[2,0]");
    EXPECT_EQ(shape_after("...", {2, 3}), "f32[2,3]");
}

TEST(Broadcast, KeepsWhatDataSaysOfAnUnknownTarget) {
    EXPECT_EQ(shape_after("3,1", unknown_ints("3")), "f32[?,3,?]");
    EXPECT_EQ(shape_after("2..5,1..3", unknown_ints("2")), "f32[2..5,?]");
    EXPECT_EQ(shape_after("3,1", unknown_ints("?")), "f32[...]");
    EXPECT_EQ(shape_after("3,1", unknown_ints("1"), Mode::bidirectional), "f32[3,?]");
}

TEST(Broadcast, WorksBothWays) {
    EXPECT_EQ(shape_after("3,1", {2, 1, 4}, Mode::bidirectional), "f32[2,3,4]");
    EXPECT_EQ(shape_after("2,3,1", {4}, Mode::bidirectional), "f32[2,3,4]");
    EXPECT_EQ(shape_after("?,3", {4, 1}, Mode::bidirectional), "f32[4,3]");
}

TEST(Broadcast, PutsAxesWhereTheMappingSays) {
    EXPECT_EQ(explicit_shape("2,3", {2, 5, 3}, ints({0, 2})), "f32[2,5,3]");
    EXPECT_EQ(explicit_shape("1", {2, 3}, ints({0})), "f32[2,3]");
    EXPECT_EQ(explicit_shape("2,3", {2, 5, 3}, unknown_ints("2")), "f32[2,5,3]");
}

TEST(Broadcast, RefusesWrongInputs) {
    expect_error<ModelError>(
        [] {
            shape_after("3,1", {2, 1, 4});
        },
        "node 'n' (Broadcast): data of shape [3,1] has an extent 3 where the "
        "target shape has 1; expected the same or 1");
    expect_error<ModelError>([] { shape_after("3", {-3}); }, "the target shape holds -3");
    expect_error<ModelError>([] { shape_after("3", {kLowest}); }, "the target shape holds -92");
    expect_error<ModelError>([] { shape_after("2,3", {3}); },
                             "data has shape [2,3], but the target only rank 1");
    expect_error<ModelError>([] { shape_after("3", {2}, Mode::bidirectional); },
                             "shapes [3] and [2] can't be broadcast together");
    const auto mapped = [](const Ints& mapping, std::string_view message) {
        expect_error<ModelError>([&] { explicit_shape("2,3", {3, 2}, ints(mapping)); }, message);
    };
    mapped({1, 0}, "axes_mapping must grow from element to element");
    mapped({0, 0}, "axes_mapping must grow from element to element");
    mapped({0}, "axes_mapping has 1 element, but data has shape [2,3]");
    mapped({-1, 0}, "axes_mapping names axis -1, but the target has rank 2");
    mapped({0, kHighest}, "axes_mapping names axis 9223372036854775807");
    mapped({0, 1}, "has an extent 2 where the target shape has 3");
    const auto lonely = broadcast("explicit");
    lonely->set_inputs({parameter("2"), ints({2})});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 2 inputs; expected 3");
}

TEST(Broadcast, RepeatsTheElements) {
    const auto column = floats({2, 1}, {1, 2});
    expect_same(evaluate_one(*broadcast("numpy"), {column, int_vector({2, 2, 3})}),
                floats({2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
    expect_same(evaluate_one(*broadcast("bidirectional"), {column, int_vector({2})}),
                floats({2, 2}, {1, 1, 2, 2}));
    expect_same(evaluate_one(*broadcast("explicit"),
                             {floats({2}, {1, 2}), int_vector({2, 3}), int_vector({0})}),
                floats({2, 3}, {1, 1, 1, 2, 2, 2}));
    expect_same(evaluate_one(*broadcast("numpy"), {counting({}), int_vector({})}), counting({}));
    EXPECT_EQ(evaluate_one(*broadcast("numpy"), {column, int_vector({2, 0})}).shape(),
              (Shape{2, 0}));
    expect_moves_every_type(*broadcast("numpy"), column, {int_vector({2, 2})});
}

// Its elements are known only when it runs.
TEST(Broadcast, RefusesATargetOfFloats) {
    const Output floats = make_node<ops::Parameter>(ElementType::f32, PartialShape{2});
    expect_error<ModelError>([&] { named<ops::Broadcast>(parameter("3"), floats, Mode::numpy); },
                             "target has type f32; expected integers");
}

}  // namespace
}  // namespace rondo::broadcast_test
